-- nDCG@5: linear gain, log2(rank + 1), ties by document id descending, no relevant document counts 0, negative
-- grades count 0, fractional grades truncated (the database has to compare text character by character, as the
-- collation C does)
with everything as (
  select query_id as query, doc_id as document, score * 1e0 as score
  from {{ ref('run') }}
),
judged as (
  select query_id as query, doc_id as document, relevance * 1e0 as given
  from {{ ref('qrels') }}
),
grades as (
  select query, document, given, case when given < 0 then 0 else floor(given) end as grade
  from judged
),
gains as (
  select query, document, given, grade, grade as gain
  from grades
),
retrieved as (
  select query_id as query, doc_id as document, score * 1e0 as score
  from {{ ref('run') }}
  where query_id in (select query from judged)
),
best as (
  select query, document, score
  from (
    select query, document, score, rank() over (partition by query order by score desc) as higher
    from retrieved
  ) as by_score
  where higher <= 5
),
ranked as (
  select query, document, score, coalesce(gain, 0) as gain,
    case when given is null then 1 else 0 end as unjudged,
    row_number() over (partition by query order by score desc, document desc) as rank
  from best left join gains using (query, document)
),
found as (
  select query, sum(gained) as dcg, sum(lacking) as unjudged,
    max(case when size > 1 and judged > 0 and first_judged <= 5 then 1 else 0 end) as tied
  from (
    select query, sum(case when rank <= 5 then gain / (ln(rank + 1) / ln(2)) else 0 end) as gained,
      count(*) as size, sum(1 - unjudged) as judged,
      sum(case when unjudged = 1 and rank <= 5 then 1 else 0 end) as lacking, min(rank) as first,
      min(case when unjudged = 0 then rank end) as first_judged
    from ranked
    group by query, score
  ) as tied
  group by query
),
ideal as (
  select query, sum(gain / (ln(rank + 1) / ln(2))) as idcg
  from (
    select query, gain, row_number() over (partition by query order by gain desc) as rank
    from gains
  ) as best_first
  where rank <= 5
  group by query
),
by_query as (
  select query, dcg, idcg, case when idcg = 0 then 0 else dcg / idcg end as value
  from found join ideal using (query)
),
truncated_grades as (
  select query, document, given from grades
  where query in (select query from retrieved) and given <> floor(given)
)
select 'nDCG@5' as measure, avg(value) as mean,
  (select count(distinct query) from judged) as judged,
  count(value) as evaluated,
  (select count(distinct query) from judged where query not in (select query from retrieved)) as missing,
  (select count(distinct query) from everything where query not in (select query from judged)) as extra,
  coalesce(sum(case when idcg = 0 then 1 else 0 end), 0) as without_ideal,
  (select coalesce(sum(tied), 0) from found) as tied,
  (select coalesce(sum(unjudged), 0) from found) as unjudged,
  (select count(*) from truncated_grades) as truncated
from by_query
