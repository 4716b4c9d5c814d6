"""What is found in notes, as examples in which it is marked."""

import re
from pathlib import Path

from marked import holds
from rows import every_row

LINEAR = (Path(__file__).parent.parent / "benchmarks" / "note.md").read_text("utf-8")
LONG = r"""
=== exponential gain in LaTeX
The labels are $(2, 3, 0, 1)$. With the gain $2^{rel_i} - 1$,
\begin{align}
DCG@4 &= \frac{2^2-1}{\log_2 2} + \frac{2^3-1}{\log_2 3} + \frac{2^0-1}{\log_2 4} + \frac{2^1-1}{\log_2 5} \\
 &= 3 + 4.42 + 0 + 0.43 = 7.85«+» \\
IDCG@4 &= 7 + 1.89 + 0.5 + 0 = 9.39«+» \\
NDCG@4 &= \frac{7.85}{9.39} \approx 0.836«0.835 carried»
\end{align}
=== two rankings, of which the first ranks are not discounted
$q_1: (d_1,2), (d_2,3), (d_3,0)$ and $q_2: (d_1,1), (d_2,0), (d_3,3)$ by
$$DCG = rel_1 + \sum_{i=2}^k \frac{rel_i}{\log_2 i}$$
$DCG_1 = 2 + \frac{3}{\log_2 2} + \frac{0}{\log_2 3} = 5.00«+»$
$DCG_2 = 1 + \frac{0}{\log_2 2} + \frac{3}{\log_2 3} = 2.98«2.89 digit»$
=== German digits
Die Relevanzurteile sind 3, 0, 2, 1, 2.
DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) + 1/log2(5) + 2/log2(6) = 3 + 0 + 1 + 0,43 + 0,77 = 5,21«5.20»

Die ideale Reihenfolge ist 3, 2, 2, 1, 0: IDCG = 3 + 1,26 + 1 + 0,43 + 0 = 5,69. NDCG = 5,20 / 5,69 = 0,91«+»
=== marks of relevance
| Position | Doc | Relevant? | Contribution |
| -------- | --- | --------- | ------------ |
| 1 | doc-1 | ✓ Yes | 1.000«+» |
| 2 | doc-4 | ✗ No | 0.000«+» |
| 3 | doc-2 | ✓ Yes | 0.500«+» |
| 4 | doc-9 | ✓ Yes | 0.430«0.431 truncated» |

**DCG** = 1.000 + 0 + 0.500 + 0.431 = **1.931«+»**
=== columns of an output
Relevance: [1, 0, 2, 3]

rank  rel  discount  dcg
1     1    1.0000    1.0000«+»
2     0    1.5850    1.0000«+»
3     2    2.0000    2.0000«+»
4     3    2.3219    3.2910«3.2920»
=== the first two ranks alone, and a list with more relevant documents than those retrieved
Grades: 3, 0, 2, 1. The DCG is 3 + 0 + 1 + 0.431 = 4.431«+».
The DCG of the first two is 3 + 0.000 = 3.010«3.000».
A document with the grade 3 was never retrieved.
IDCG = 3 + 1.893 + 1 + 0.431 = 6.323«+»
=== other measures, of sets
Relevant documents: {d2, d8, d10}. Retrieved: [d1, d4, d2, d9, d8].
DCG@5 = 1/log2(4) + 1/log2(6) = 0.8869«+»
IDCG@5 = 1 + 0.6309 + 0.5 = 2.1309«+»
nDCG@5 = 0.4162, precision at 5 = 0.4, recall at 5 = 0.667«+»,
reciprocal rank = 0.333 and AP = (1/3 + 2/5)/3 = 0.367«0.244». The MRR over both queries is 0.667.
=== results of a program, and numbers of others
Relevance: [3, 2, 3, 0, 1, 2]
DCG:  6.8611«+»
IDCG: 7.1410«+»
NDCG: 0.9203«0.9608»

The NDCG was 0.71 in the release before, our baseline has an NDCG of 0.8123«?», and MRR is 0.58«?».
=== results of each cutoff
rel = [3, 0, 2, 1]
k=1  dcg=3.0000  idcg=3.0000  ndcg=1.0000«+»
k=3  dcg=4.0000  idcg=4.7619  ndcg=0.8500«0.8400»
=== calls at a prompt
>>> dcg([1, 0, 2, 3])
3.292030«+»
>>> dcg([3, 2, 1, 0])          # the ideal order
4.716860«4.761860 digit»
>>> round(ndcg([1, 0, 2, 3]), 3)
0.691«+»
>>> ndcg([3, 2, 0, 1, 2], k=5)  # (5.466) / (5.693)
0.9602«+»
>>> hits = [0, 1, 0, 1, 1]
>>> precision(hits, 3)
0.6667«0.3333»
>>> average_precision(hits, 3)
0.5333«+»
>>> ndcg(hits)
0.6797«+»
>>> %timeit dcg([2, 2, 0, 3])
4.31 µs ± 0.12 µs per loop
=== a second convention
Grades [3, 2, 0, 1] with the gain 2^rel - 1:
DCG = 7 + 1.8928 + 0 + 0.4307 = 9.3253«9.3235 digit»
IDCG = 7 + 1.8928 + 0.5 + 0 = 9.3928«+»
With linear gains you get DCG = 4.6925 and IDCG = 4.7619«+», so it rises by 0.01.
=== arrays, and lines with a name each
rel = np.array([3, 2, 3, 0, 1, 2])
array([1.    , 1.585 , 2.    , 2.3219, 2.585 , 2.8074«+»])
array([3.    , 1.2691«1.2619», 1.5   , 0.    , 0.3869, 0.7124«+»])
array([3.   , 4.262, 5.762, 5.762, 6.149, 6.861«+»])
>>> dcg / idcg
0.9608«+»
=== rows by cutoff
| rank | rel | term |
|---|---|---|
| 1 | 1 | 1.000«+» |
| 2 | 3 | 1.893«+» |
| 3 | 0 | 0.000«+» |
| 4 | 2 | 0.861«+» |

| | DCG | IDCG | NDCG |
|---|---|---|---|
| k = 1 | 1.000 | 3.000 | 0.333«+» |
| k = 2 | 2.893 | 4.262 | 0.697«0.679» |
| k = 4 | 2.893«3.754» | 4.762 | 0.788«+» |
=== documents of grade 0 are left out, and the heading is none that means a rank
| slot | grade | log2(slot + 1) | grade / log2(slot + 1) |
|---|---|---|---|
| 1 | 3 | 1.000 | 3.000«+» |
| 2 | 1 | 1.585 | 0.631«+» |
| 4 | 2 | 2.322 | 0.861«+» |
| 7 | 1 | 3.000 | 0.333«+» |

DCG@7 = 3.000 + 0.631 + 0.861 + 0.333 = 4.826, so NDCG@7 = 0.929. DCG@3 = 4.062«3.631».
=== a misprint by another convention
Grades [0, 3, 1, 2] with 2^rel - 1. DCG = 7/1.585 + 1/2 + 3/2.322 = 4.417 + 0.5 + 1.292 = 6.209«+»

The ideal order is [3, 2, 1, 0]. IDCG = 7 / 1 + 3 / 1.585 + 1 / 2 = 7 + 1.893 + 0.5 = 4.762«9.393»
=== the steps of ERR
Grades run from 0 to 3, and ERR adds up the last column.

| rank | grade | R | reaches | stops here | contribution |
|---|---|---|---|---|---|
| 1 | 3 | 0.875 | 1.0000 | 0.8750 | 0.8750«+» |
| 2 | 1 | 0.125 | 0.1250 | 0.0156 | 0.0078«+» |
| 3 | 0 | 0.000 | 0.1094 | 0.0000 | 0.0000«+» |
| 4 | 2 | 0.375 | 0.1094 | 0.0410 | 0.0103«+» |
=== calls with the scores of documents, a larger pool, and an option whose meaning the other results tell
>>> pool = [3, 3, 2, 2, 1, 1, 0, 0]
>>> rels = [3, 0, 2, 1, 0, 0]
>>> dcg_score([[0, 2, 1, 3, 0]], [[5, 4, 3, 2, 1]])
3.053889
>>> ndcg_score([[0, 3, 1, 2, 0]], [[5, 2, 3, 4, 1]], k=3)
0.369994
>>> round(ndcg(rels, k=3), 4)          # 4.0 / 4.7619
0.8400«+»
>>> round(ndcg(rels, ideal=pool, k=3), 4)
0.8400«0.6788»
>>> round(dcg(rels, gain="exp"), 4)
8.9307«+»
>>> round(ndcg(rels, gain="exp"), 4)
0.9508«+»
>>> round(rbp([1, 0, 1, 1, 0, 0], p=0.8), 4)
0.4304«+»
=== each of three copies of one document counts
Each of three copies of one document counts: Accumulated DCG = 1.0 + 0.6309 + 0.5 = 2.1390«2.1309»
The ideal order has it once: IDCG = 1/log2(2) = 1.0000«+»
=== calls whose result no list gives
The best order is [3, 2, 1], and [1, 2, 3] was returned.
DCG@3 = 1/log2(2) + 2/log2(3) + 3/log2(4) = 3.762«+»
IDCG@3 = 3/log2(2) + 2/log2(3) + 1/log2(4) = 4.726«4.762»
value = evaluator.compute_ndcg(found, wanted, k=3)
self.assertAlmostEqual(ndcg_of(value), 0.79«+», places=3)
assert ndcg_of(value) == approx(0.79«+», abs=1e-5)
=== rows by measure, and names above the cutoff
| | @1 | @2 | @3 | @4 |
|---|---|---|---|---|
| label | 1 | 2 | 0 | 3 |
| DCG | 1.000 | 2.262 | 2.262 | 3.554«+» |
| IDCG | 3.000 | 4.262 | 4.762 | 4.762«+» |
| NDCG | 0.333 | 0.531 | 0.457«0.475» | 0.746«+» |
=== running sums
Grades [2, 3, 0, 1], with the gain 2^grade - 1.

| rank | grade | running DCG |
|-----:|------:|------------:|
| 1 | 2 | 3.000«+» |
| 2 | 3 | 7.417«+» |
| 3 | 0 | 7.417«+» |
| 4 | 1 | 7.830«7.847» |
"""
CHINESE = """相关性标签为 [3, 0, 2]。
- DCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 3 + 0 + 1 = 4.00«+»
- 理想排序为 [3, 2, 0]\uff0cIDCG@3 = 3 + 1.26 + 0 = 4.26«+»
- NDCG@3 = 4.00 / 4.26 = 1.0«0.9»
"""
MEANS = """| query | DCG | IDCG | nDCG |
|---|---|---|---|
| q1 | 2.579 | 3.562 | 0.724 |
| q2 | 2.966 | 4.193 | 0.707 |
| q3 | 4.835 | 5.193 | 0.931 |
| q4 | 5.415 | 7.254 | 0.746 |
| {} | 3.949 | 5.051 | 0.797«0.777» |
"""
CUT = r"""Grades $g=(0,2,3,1)$, the gain is $2^g-1$.
\mathrm{{DCG}}@4 = \sum_{{i=1}}^{{4}}\frac{{2^{{g_i}}-1}}{{\log_2(i+1)}} = 0 + 1.893 + 3.5 + 0.431 = 5.823
\mathrm{{IDCG}}@4 = \frac{{7}}{{1}} + \frac{{3}}{{1.585}} + \frac{{1}}{{2}} + 0 = 7 + 1.893 + 0.5 = 9.393
With linear gains $\mathrm{{DCG}}=0+1.262+1.5+0.431={}$ and $\mathrm{{IDCG}}=3+1.262+0.5+0={}$.
"""
FIRST = "Grades [3, 0, 2]. DCG = 4.000, IDCG = 4.262, NDCG = 0.939."
OF_ERR = "Grades run from 0 to 3. The ranking has the grades [3, 2, 0, 1].\n"
STEEP = """The grades 1, 3, 0, 2 have the gains $2^{rel}-1$ of 1, 7, 0, 3: DCG = 1 + 4.417 + 0 + 1.292 = 6.709
IDCG = 7 + 1.893 + 0.5 + 0 = 9.393, NDCG = 6.709/9.393 = 0.714. """
THREE = "Grades [3, 0, 2]: DCG = 3 + 0 + 1 = 4.000, IDCG = 3 + 1.262 + 0 = 4.262, NDCG = 4.000/4.262 = 0.939. "
FOUR = "Grades 3, 0, 2, 1.\nDCG@2 = 3 + 0 = 3.000\nDCG = 3 + 0 + 1 + 0.431 = 4.431\n\n"
SHOWN = r"""The grades are [2, 3, 0, 1, 2]. With $\sum \frac{rel_i}{\log_2(i + 1)}$ it is
DCG = 2 + 1.893 + 0 + 0.431 + 0.774 = 5.097, and IDCG = 3 + 1.262 + 1 + 0.431 + 0 = 5.693.

"""
OTHER = SHOWN + (
    r"With the original discount, $\sum \frac{rel_i}{\max(1, \log_2 i)}$, the sum is DCG = 2 + 3 + 0 + 0.5 + 0.861 = "
)
PAGE = """{}<table>
<tr><th>Rank</th><th>Relevance</th><th>Term</th></tr>
<tr><td>1{}<td>3{}<td>3.000«+»</tr>
<tr><td>2{}<td>2{}<td>1.262«+»</tr>
<tr><td>3{}<td>0{}<td>0.000«+»</tr>
</table><p>DCG&nbsp;= 3 + <b>1.26</b> + 0 = 4.36«4.26»</p>"""
# A run and its results: AP is (1/2 + 2/3)/2, and NDCG (2/log2(3) + 1/2) / (2 + 1/log2(3))
RUN = """1 0 a 2
1 0 b 0
1 0 c 1
1 Q0 b 1 9.5 x
1 Q0 a 2 9.1 x
1 Q0 c 3 8.7 x
map          1    {}
recip_rank   1    {}
ndcg_cut_3   1    {}
"""
INDEXED = "(2<sup>2</sup> - 1)/log<sub> 2 </sub>(2) + 2/log<sub>2</sub>(3)"
ALTERED = [
    ("= 0.961\n", "= 0.960«0.961 truncated»\n"),
    ("1.262        |", "1.261«1.262 truncated»        |"),
    ("1.893 + 1 + 0.861", "1.893 + 1.893«1.000» + 0.861"),  # the term of another rank
]
NOTES = [
    re.sub(r"\d[.]\d+", r"\g<0>«+»", LINEAR),
    *(LINEAR.replace(*each) for each in ALTERED),
    *re.split("^=== .*\n", LONG, flags=re.MULTILINE)[1:],
    CHINESE,
    MEANS.format("overall"),  # two means beside it
    MEANS.format("mean"),  # no ratio of means
    # A result is not held to another gain, base or cutoff than its sentence names
    f"{STEEP}With the linear gain the numbers are smaller: DCG is only 3.7541«+», the ideal one 4.7619.",
    f"{STEEP}Avec le gain linéaire le DCG vaut 3.7541«+» et le IDCG vaut 4.7619«+», soit 0.7884.",
    f"{THREE}With the natural logarithm the DCG is 5.771«+» and the IDCG is 6.149«+».",
    f"{THREE}With $\\log_{{10}}$: $\\mathrm{{DCG}}_{{10}} = 13.288«+»$ and $\\mathrm{{IDCG}}_{{10}} = 14.158«+»$.",
    f"{FOUR}DCG@3 = 3 + 0 + 1 + 0.431 = 4.431«4.000»",
    f"{FOUR}IDCG@2 = 3 + 1.262 + 0.5 = 4.762«4.262», NDCG@2 = 3.000/4.762 = 0.630«0.704»",
    # A second convention may leave out the cutoff of the first
    CUT.format("3.193", "4.726«4.762»"),
    CUT.format("3.139«3.193»", "4.762"),
    f"{OTHER}6.316«6.361».",
    f"{SHOWN}The ideal. At rank 5 the DCG gains $1/2.585 = 0.387$.",
    # A percentage repeats a result
    f"{THREE}So NDCG@3 is 93.8%«93.9%».",
    "Grades [3, 0, 2]: DCG = 4.000, IDCG = 4.262. NDCG = 0.958«0.939» = 95.8%«93.9%»",
    r"$P@10 = 4/10 = 40.0\,\%$ and $R = 3/4 = 70.0«75.0%»\,\%$",
    "| query | grades | NDCG [%] |\n|-|-|-|\n| q1 | 2, 1, 0 | 100.00 |\n| q2 | 0, 1, 2 | 61.99 |\n"
    "| q3 | 1, 0, 2 | 76.02 |\n| mean | | 73.94«79.34» |\n",
    "P@10 = 3/10 = 0.30«+» (30%)",
    # What would come out otherwise
    "The results are graded 0, 3, 2, 1. DCG is 3.3235. If you forget the cut, the nDCG is 0.6512«?».",
    # Terms that are each other's are compared, and a slip goes on
    "DCG[4] = 6.39 + 3/log2(5) = 6.39 + 1.19«1.29» = 7.58«7.68»\nDCG[5] = 7.58 + 1/log2(6) = 7.58 + 0.39 = 7.97«8.07»",
    r"\[ DCG_{\ln} = \frac{2}{0.6931} + \frac{3}{1.3863} + \frac{1}{1.6094} = 2.886 + 2.164 + 0.431«0.621» = "
    r"5.481«5.671» \] \[ NDCG = \frac{5.481}{5.942} = 0.922«0.954» \]",
    "DCG@4 = 4,76 + 2/2,322 = 4,76 + 0,68«0.86» = 5,44«5.62»",
    "a = 3 + 2 = 5 + 3 = 8 + 1 = 9«+»",
    "a step of\n$-1.84 \\times 1.30 = -2.392$ degrees",
    "DCG = 3 + 1.26 = 4.26 → 4.62«4.26»",
    "Grades [2, 3, 0]. DCG = 2 + 1.895«1.893» + 0 = 3.893",
    # An operand is a slip where all else of its ratio comes out
    *(  # the last may be of another list
        f"Grades [3, 0, 2]: DCG@3 = 4.000, IDCG@3 = 4.262.\n\nNDCG@3 = {ratio}"
        for ratio in ("4.000 / 4.264«4.262» = 0.939", "4.002«4.000» / 4.262 = 0.939", "4.000 / 4.362 = 0.917")
    ),
    # Numbers in brackets are those of the quantity before them by rank: 2, + 3/1, + 0, + 3/log2(4), + 1/log2(5), ...
    *(
        "Grades [2, 3, 0, 3, 1, 2], gain = grade, discount log2(rank), none for ranks 1 and 2.\n\n"
        f"- DCG = {left}2.00, 5.00, 5.00, 6.51«6.50», 6.93, 7.70{right}\n"
        f"- nDCG up to rank 4: {left}0.17«0.67», 0.83, 0.69, 0.79{right}\n"
        for left, right in [("(", ")"), ("[", "]"), ("⟨", "⟩")]
    ),
    # A number is of the list before it, and not of the one before that: 4.431/4.762 and 3.893/4.262
    "First query: 3, 0, 2, 1.\n\nDCG@4 = 4.431\n\nIDCG@4 = 4.762\n\nNDCG@4 = 0.903«0.930»\n\n"
    "Second query: 2, 3, 0, 0.\n\nDCG@4 = 3.893\n\nIDCG@4 = 4.262\n\nNDCG@4 = 0.931«0.913»\n",
    "rank;grade;gain;term\n1;2;3;3.0000\n2;1;1;0.6309\n3;3;7;3.5000\n4;0;0;0.0000\n5;2;3;1.6106«1.1606»\n",
    f"{OF_ERR}ERR = 0.875 + 1/2 * 0.125 * 0.375 + 0 + 1/4 * 0.125 * 0.625 * 0.125 = 0.9090«0.9009»",
    # an arrow leads to a name with a number of its own
    "Grades of the results: [2, 0, 3]\nDCG@3 = 2/log2(2) + 0/log2(3) + 3/log2(4) = 2 + 0 + 1.5 = 3.5\n"
    "Best order: [high, good, none] → IDCG@3 = 4.62«4.26»",
    # rankings in the cells of a table
    "For [0, 1, 0]: DCG = 0 + 0.63 + 0 = 0.63 and NDCG@3 = 0.63 / 1 = 0.63\n\n| Query | Relevance | nDCG@3 |\n|-|-|-|\n"
    "| 1 | `[0, 1, 0]` | 0.63 |\n| 2 | `[1, 0, 0]` | 1.00 |\n| 3 | `[0, 0, 1]` | 0.40«0.50» |\n",
    # Relations of columns, whatever their headings say, in German digits; the sums below a misprinted one are right
    "| k | y | w | x |\n|-|-|-|-|\n| 1 | 3 | 3,00 | 3,00 |\n| 2 | 2 | 1,26 | 4,26 |\n| 3 | 3 | 1,50 | 5,86«5.76» |\n"
    "| 4 | 0 | 0,00 | 5,76«+» |\n| 5 | 1 | 0,39 | 6,15«+» |\n",
    # 1/1.631 is near no list of the note
    f"{THREE}\n\nAnother query has $1 + 0.631 = 1.631$, and its order $1/1.631 = 0.613$.\n",
    # an ideal that is not sorted, and what is worked out of it
    "The grades are 2, 3, 0, 1.\n\nDCG = 2 + 1.893 + 0 + 0.431 = 4.323\n\nIDCG = 2 + 1.893 + 0 + 0.431 = "
    "4.323«4.762»\n\nNDCG = 4.323 / 4.323 = 1.000«0.908»",
    # What is no claim
    # The ranking is not shown, and the list is its best order
    "In der besten Reihenfolge [2, 1, 0]: 2,0 + 1/log2(3) = 2,0 + 0,63 = 2,63«+».",
    "The paper of 2002 has 4 sections, see section 3.2«-».",
    r"$$DCG_p = \sum_{i=1}^{p} \frac{rel_i}{\log_2(i+1)}$$",
    "for i in range(10):\n    dcg = 0«-»\n    dcg += rel[i] / log2(i + 2)\n",
    "Grades [3, 2, 0]: DCG = 3 + 1.262 = 4.262. P@5 = 0.37«?» and MAP = 0.41«?» over 300 queries.",
    "rel = [3, 2, 3]\n  3.00  of one\n  4.26  of another\n  6.00  of a third\n",
    'a = [2, 3, 0]\nb = [3, 2, 0]\nprint(f"{dcg(a):.3f}")\nprint(f"{dcg(b):.3f}")\n\nfirst: 3.893\nsecond: 4.262\n',
    "Grades [3, 2, 0]: DCG = 3 + 1.262 = 4.262. Versions 3, 1.26 and 1.3 are supported, 4.1, 4.2 and 4.3 are not.",
    "Grades [3, 2, 0]: DCG = 4.262, IDCG = 4.262. The costs were 2.10 / 5.30 = 0.396 of the year before.",
    ">>> average_precision([0, 1, 0, 0, 1], 3)\n0.3«?»\n>>> ndcg([0, 1, 0, 0, 1])\n0.6241«+»\n",
    "If the order were ideal, the NDCG would be 5.69 / 5.69 = 1.",
    # What another ranking, another order, another convention or other digits explain
    "rels = [2, 3, 0]\nrels = np.sort(rels)[::-1]\ndcg(rels)\n\n4.262\n",
    "System A returns [3, 0, 2], system B [2, 3, 0].\n\n| gain | DCG of A | DCG of B |\n|---|---|---|\n"
    "| binary | 1.500 | 1.631 |\n| linear | 4.000«+» | 3.893«+» |\n| steep | 77.392«?» | 66.740 |\n",
    "Grades [3, 2, 0], DCG = 4.262, NDCG = 1.000. For another query three documents were judged, with the grades "
    "2, 1, 1. It stops at three: 2 + 0.631 + 0.5 = 3.131«+».",
    # numbers that another ranking, another order, another convention or other digits explain
    "The pool is 3, 3, 2, 1, 1: IDCG = 3 + 1.893 + 1 + 0.431 + 0.387 = 6.710. "
    "The run has DCG = 3 + 1.262 + 0 + 0.431 + 0 = 4.693 and NDCG = 0.699.",
    "Grades (2, 3, 0, 1), of the judged 3, 3, 2, 1. IDCG = 6.323«+». Of the retrieved alone the ideal is (3, 2, 1, 0), "
    "IDCG = 4.762«~».",
    "Grades [3, 0, 2, 3, 1]: DCG = 6.193 without a discount at rank 1. With the newer discount, DCG = 5.679«+».",
    "Grades [0, 2, 1, 3, 0] have DCG = 3.054 and IDCG = 4.762, and DCG / IDCG ≈ 0.64«+».",
    "Gains 2^rel - 1: grades (2, 0, 1, 2, 0) have the gains (3, 0, 1, 3, 0). DCG = 4.792, IDCG = 5.393, NDCG = 0.889.",
    # a document that was not retrieved, many totals of other formulas, and a mean over two rankings
    "Grades: 3, 0, 2, 1. DCG = 3 + 0 + 1 + 0.431 = 4.431. One relevant document was never retrieved.\n"
    "IDCG = 3/1 + 2/1.585 + 1/2 + 1/2.322 = 5.193«+». NDCG = 0.853«+»",
    "Query 1 has the grades [1, 0, 1, 0] and query 2 [0, 1, 0, 0].\n"
    "For query 2: DCG@4 = 0.631, IDCG@4 = 1, NDCG@4 = 0.631. MRR = 0.750«?».",
    "The grades are a=3, b=2, c=1, and the system returns c, a, b:\nDCG = 1/log2(2) + 3/log2(3) + 2/log2(4) = 3.8928"
    "\nIDCG = 3/log2(2) + 2/log2(3) + 1/log2(4) = 4.7619«+»",
    # a side is not cut to a part of it
    "Position 2: (2² - 1) / log2(2 + 1) = 3 / 1.58 = 1.89",
    "rel² / 2 = 4.5«-», and x × 3 = 6«-»",
    # The weights of ranks are those of any list, here of the gain so far
    "The gains so far are 2, 4, 4, 5 and 8, and CG@5 = 8. The weights are\n\n> 1, 0.6309, 0.5, 0.4307«+», 0.3869«+»\n",
    "DCG@1 = 1 / log2(1 + 0) = 1.0«-»",
    "y_true = [[1, 0, 3, 2]], y_score = [[0.2, 0.9, 0.7, 0.1]]\nThe labels are read as [0, 3, 1, 2].\nDCG = 3.2541«+»",
    # a sum that leaves out ranks
    "DCG@4 = 1/log2(3) + 1/log2(5) = 1.062«+». RR = 0.50«+», P@4 = 0.50«+».",
    # binary logarithms
    "DCG = 3/lb 2 + 2/lb 3 = 4.262«+», DCG = 3/ld(2) + 2/ld(3) = 4.226«4.262».",
    "Grades 3, 2, 3, 0. DCG[2] = 4.26«+», DCG[4] = 5.76«+», IDCG[2] = 4.89«+».",
    # the ideal tells how many there are
    "DCG = 1 + 0 + 0.5«~» + 0.431«~» = 1.931«~» of four relevant documents in all.\n"
    "IDCG = 1 + 0.631«~» + 0.5«~» + 0.431«~» = 2.562«~»\nNDCG = 0.754«~», R@4 = 0.750«~».",
    "The ideal order has the gains 3, 2, 1, 0: 3 + 1.262«+» + 0.5«+» = 4.762«+».\nDCG = 4.13«?»",
    # the first one is no cutoff, and a mean need not be called one
    "With labels [3, 2, 0, 1] the first one has a DCG of 4.69«+», an ideal DCG of 4.76«+» and an nDCG of 0.99«+».\n\n"
    "The second, labels [0, 0, 2, 1], has a DCG of 1.43«+», an ideal DCG of 2.63«+» and an nDCG of 0.54«+».\n\n"
    "Taken together, the typical query gets an nDCG of 0.76«?».",
    # ranks that rise and fall are no grades of which rounded values come out
    "The first good answer was in place 1, 3, 2, 1 and 5. The reciprocal ranks are 1, 0.333«?», 0.5, 1 and 0.2, their "
    "mean is 0.607.",
    # lines of another list
    "Grades [0, 2, 1].\n\nT1 RR 0.5000«+» P@3 0.6667«+» DCG 1.7619«+»\nT2 RR 0.2500«?» P@3 0.7778«?» DCG 1.4307«?»",
    # A ranking with the best first is no ideal where the ideal stands too
    "Grades [3, 2, 3, 0, 1]. By score [3, 3, 2, 0, 1]: DCG = 6.2796«+». "
    "The ideal is [3, 3, 2, 1, 0]: IDCG = 6.3235«+».",
    # 12.780 is the exponential DCG, and the line adds up to 4.5
    "Grades [3, 2, 3, 0, 1]. DCG = 3 + 1.262 + 1.5 + 0 + 0.387 = 6.149, NDCG = 0.972. "
    "DCG = 3 + 1.5 = 12.780«6.149», not 12.780",
    # the terms of a ranking that stands nowhere
    "Grades [0, 2, 0, 1]. DCG = 0 + 1.262 + 0 + 0.431 = 1.693. Another: 2 + 0.631 + 0.5 = 3.131«~»",
    # the sentence names another discount
    "Grades [2, 3, 0, 1, 2]. DCG = 5.097«+», IDCG = 5.693«+», NDCG = 0.895«+». "
    "By the original discount the NDCG is 0.941«?».",
    # The terms of a working tell the grades of its ideal, 7 + 1/log2(3); a sum is no grade
    "DCG = (2^1-1)/log2(2) + (2^3-1)/log2(3) = 5.42«+»\n\nIDCG = 7.63«+»\n",
    "DCG = (1+1) + 3/log2(3) = 3.89«+»\n\nIDCG = 4.26«?»\n",
    # A call with an option that may choose a convention
    ">>> dcg([3, 0], gain=1)\n5.00«?»\n\n",
    r"For $\mathbf{r}=(3,1,2,0)$, $\mathrm{DCG}_4$ is 4.6309«~», $\mathrm{IDCG}_4$ is 4.7619«+».",
    # Above 1, where it is stated
    "A system has NDCG@5 = 1.37«!» on q1.",
    "The package ndcg_ref needs Python >=3.11«?».",
    # A value of the list that no name says, and a sum of rounded terms alone
    "The grades are 3, 0, 2, 1 in this order. DCG = 4.431«+» and IDCG = 4.762«+»; elsewhere we print 0.9305«~» once.",
    # A single number is no sign of a convention that the note does not name: 3 + 7/log2(4) + 1/log2(5) = 6.93068
    f"{FIRST}\n\nGrades [2, 0, 3, 1]. DCG = 6.9307«?».",
    f"{FIRST}\n\nGrades [2, 0, 3, 1]. With exponential gain DCG = 6.9307«+».",
    f"{FIRST}\n\nGrades [2, 0, 3, 1]. With the gain 2^grade - 1 DCG = 6.9307«+».",
    # ERR and RBP by their meaning
    "Relevance is [1, 1, 0, 1], with a persistence of 0.8.\nRBP = (1-0.8)(1 + 0.8 + 0.8^3) = 0.2 * 2.312 = 0.4624«+»",
    "The grades are [3, 2, 0, 1]. RBP was 0.512«?» in the release before.",
    f"{OF_ERR}DCG@4 = 4.693«+», NDCG@4 = 0.985«+», ERR = 0.9015«0.9009»",
    # A cutoff that may be the number of a query: 3 of 5
    "Relevance: 1, 0, 1, 1, 0. P_3 = 0.667«+», DCG = 1.931«+», P_5 = 0.55«0.60»",
    # The name of a number before, of the line above, and of the line above a table
    "A: 3, 0, 2, 1\n\nB: 0, 2, 1, 3\n\nNDCG is 0.930«+» for A and 0.641«+» for B. DCG is 4.431«+» and 3.054«+».",
    "Grades [3, 0, 2, 1]: DCG = 4.431«+», IDCG = 4.762«+». So what is called the NDCG is\n0.930«+».",
    "A: 3, 0, 2, 1\nB: 0, 2, 1, 3\n\n## NDCG@4\n\n| run | value |\n|---|---|\n| A | 0.930«+» |\n| B | 0.641«+» |\n",
    # A working whose numbers are all known
    "Grades 3, 2, 0, 1. DCG = 3 + 1.262«+» + 0 + 0.431«+» = 4.693«+».\n\nRank 2: 2/1.585«+» = 1.262«+»",
    # The sum alone tells the ranking, whose zeros are terms
    "The gain is 2^grade - 1. DCG@5 = 1 + 3/1.585«+» + 0 + 7/2.322«+» + 0 = 1 + 1.893«+» + 3.015«+» = 5.908«+».\n\n"
    "With grades 3, 1, 2, 0, 0 it is DCG@5 = 7 + 0.631«+» + 1.5«+» = 9.131«+» and NDCG@5 = 0.972«+».",
    # Numbers that are about no list of the note: its list is told below, by so much better, a mean, or worked out
    "The total is DCG@5 = 6.2944«?», which tells little.\n\nThe grades 3, 1, 2, 0, 1 have a DCG@5 of "
    "7 + 0.6309«+» + 1.5«+» + 0.3869«+» = 9.5178«+». That is NDCG@5 = 0.969«+», 51.2 % better.",
    "Noten 3 1 0 2: DCG@4 = 4,492«+», NDCG@4 = 0,943«+». Das Mittel der drei Anfragen ist NDCG@4 = 0,694.",
    "run = [1, 3, 0, 2, 0, 3]\nprint(dcg(run, 6))\n\nThe object at rank 6 alone adds 7/2.80735«+» = 2.49345«+».",
    # how many documents are relevant is not told
    "Relevance is [1, 0, 1, 1, 0, 0, 1, 0]: RR = 1.000«+», P@3 = 0.667«+», P@5 = 0.600«+», DCG@8 = 2.264«+». "
    "Recall@5 is 0.600«~».",
    # a dash begins an item, and a plus goes on with a sum; one result is of six documents, and the list has four
    "Grades 3, 2, 0, 1.\n\n- log2(3) = 1.585«+»\n- DCG = 3 + 1.262«+» + 0\n  + 0.431«+» = 4.693«+»\n- IDCG = "
    "3 + 1.262«+» +\n  0.5«+» + 0 = 4.762«+»\n- NDCG = 4.693«+» / 4.762«+» = 0.985«+». "
    "Two more bring us to $DCG_6 = 5.049«?»$.",
    "Grades 2, 0, 3, 1: DCG@4 = 2 + 0 + 1.5«+» + 0.431«+» = 3.931«+», and NDCG@4 = 0.825«+».\n\n(a) What if the first "
    "two change places? Then we get DCG@4 = 3.193«?», NDCG@4 = 0.670«?».\n\nIn the best order DCG@4 = 4.762«+».",
    # Measures of the same systems rise and fall together, and are not worked out of each other
    "sys|score|NDCG@5|MAP\ns1|0.6|0.7«?»|0.6«?»\ns2|0.4|0.4«?»|0.4«?»\ns3|0.8|0.9«?»|0.8«?»\ns4|0.7|0.8«?»|0.7«?»\ns5|0.5|0.5«?»|0.6«?»\n",
    # A result without a working follows from a wrong ideal: 6.149 / 6.823 = 0.901
    *(
        "The grades are 3, 2, 3, 0, 1.\n\nDCG@2 = 4.262\n\nDCG@3 = 5.762\n\nIDCG@2 = 4.893\n\nDCG = 6.149\n\n"
        f"IDCG = 6.823«6.323 digit»\n\nNDCG = {working}0.901«0.972 inherited»"
        for working in ("", "DCG / IDCG = ")
    ),
    # A bare 1 of a quantity between 0 and 1 is not rounded; a sum claims the unit
    "Grades [3, 0, 2]. NDCG = 4.00 / 4.26 = 1«0.938557»",
    "Grades [3, 0, 2]. NDCG = 4.00 / 4.26 ≈ 1«+»",
    r"Grades [3, 0, 2]. NDCG = 4.00 / 4.26 \approx 1«+»",
    "Grades [3, 0, 2]. IDCG = 3 + 1.26 + 0 = 4«+»",
    "Recall at 5 = 2/3 = 1«0.666667»",
    # What the role of a book states is judged by what it says, and a reference states nothing
    "Of [3, 0, 2] the NDCG is {ndcg}`0.704«+» = ndcg(3, 0, 2; k=2)`, by {eq}`dcg-1`. DCG = 3«+» + 1«+» = 4«+»",
    # Rows of files and of drawn lines
    "rank│rel│log2(rank+1)│gain/log│DCG\n1│3│1,00«+»│3,00«+»│3,00«+»\n2│2│1,58«+»│1,26«+»│4,26«+»\n"
    "3│1│2,00«+»│0,50«+»│4,86«4.76»\n",
    "rank┃ rel┃ log2(rank+1)┃ gain/log┃ DCG\n1┃ 3┃ 1.00«+»┃ 3.00«+»┃ 3.00«+»\n2┃ 2┃ 1.58«+»┃ 1.26«+»┃ 4.26«+»\n"
    "3┃ 1┃ 2.00«+»┃ 0.50«+»┃ 4.86«4.76»\n",
    RUN.format("0.5833«+»", "0.5000«+»", "0.6697«+»"),
    RUN.format("0.5516«0.5833»", "0.5000«+»", "0.6697«+»"),
    RUN.format("0.5833«+»", "0.4683«0.5000»", "0.6697«+»"),
    RUN.format("0.5833«+»", "0.5000«+»", "0.6380«0.6697»"),
    # Chunks of Quarto are code, and what is printed is none
    "```{python}\nNDCG = 0.7«-»\n```\n\nDCG = 3/1 = 3«+»",
    "```{r}\n#| label: a\nNDCG = 0.7«-»\n```\n\nDCG = 3/1 = 3«+»",
    "````{code-cell} ipython3\nNDCG = 3/4 = 0.7«-»\n````\n\nDCG = 3/1 = 3«+»",
    "```{python}\ny = ndcg([3, 0, 2])\n```\n\nDCG = 3/1 = 3«+»",  # no result of the call
    "```\nNDCG = 3/4 = 0.75«+»\n```",
    # Pages without their tags, whose cells may have an end; with code, the lines of the source are still no lines
    PAGE.format("", *["</td>"] * 6),
    PAGE.format("<pre>k = 3</pre>", *[""] * 6),
    # An index is a base, and no factor; a symbol of MathML states nothing
    f"<p>IDCG = {INDEXED} = 4.26«+»</p><p>DCG = {INDEXED} = 4.62«4.26»</p>",
    "<math><msub><mi>DCG</mi><mn>5«-»</mn></msub></math> is defined above.",
]


@every_row("note", NOTES)
def test_each_number_is_found_to_be_what_is_marked_behind_it_and_nothing_is_wrong_once_the_slips_are_corrected(note):
    holds(note, "html" if note.startswith("<") else "text")
