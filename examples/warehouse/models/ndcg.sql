-- nDCG@5: linear gain, log2(rank + 1), ties by document id descending, no relevant document counts 0, negative
-- grades count 0, fractional grades truncated (the database has to compare text character by character, as the
-- collation C does)
with judged as (
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
    row_number() over (partition by query order by score desc, document desc) as rank
  from best left join gains using (query, document)
),
found as (
  select query, sum(gain / (ln(rank + 1) / ln(2))) as dcg
  from ranked
  where rank <= 5
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
)
select query, dcg, idcg, case when idcg = 0 then 0 else dcg / idcg end as value
from found join ideal using (query)
order by query
