"""How fast verdicts are, and how often chance alone explains a wrong number."""

import random
import time
from statistics import median

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD
from ndcg_ref.formulas import plain
from ndcg_ref.stated import judge, read_equation
from ndcg_ref.subjects.ranking import alternatives_for

RUNS = 5
LINES = [  # one of each shape that notes print
    r"CG_{1}=2+3+1+2+1+0+1=10",
    r"DCG_{1}=2 + \frac{3}{\log_{2}2}+\frac{1}{\log_{2}3}+\frac{2}{\log_{2}4}+\frac{1}{\log_{2}5}=6.06",
    r"DCG_{2}=\frac{2^3-1}{\log_{2}2}+\frac{2^2-1}{\log_{2}3}+\frac{2^2-1}{\log_{2}4}+\frac{2^1-1}{\log_{2}5}=10.82",
    r"NDCG_{1}=\frac{DCG_{1}}{IDCG_{1}}=\frac{7.42}{7.58}=0.979",
    r"DCG_4 = \sum_{i}^{p} \frac{rel_i}{log_2(i+1)} = 3 + 1.262 + 1.5 + 0 = 5.762",
    r"DCG_1= 0.5+0.57+0.15+0.26+0.04=1.51",
]


def seconds(work, count):
    """Median seconds for one of `count` calls, over a few runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        for _ in range(count):
            work()
        times.append((time.perf_counter() - start) / count)
    return median(times)


def wrong_sums(decimals, count, seed):
    """Random rankings with their DCG, printed wrong: any other print within 20 % of the right one."""
    random_ = random.Random(seed)
    while count:
        convention = random_.choice([ORIGINAL, STANDARD, EXPONENTIAL])
        grades = [random_.randint(0, 3) for _ in range(random_.randint(5, 9))]
        exact = plain.dcg(grades, convention=convention)
        right = round(exact * 10**decimals)
        reach = int(0.2 * right)
        if reach < 2:
            continue
        steps = right + random_.choice([-1, 1]) * random_.randint(1, reach)
        count -= 1
        terms = [
            gain / divisor
            for gain, divisor in zip(
                plain.gains(grades, convention), plain.discounts(len(grades), convention), strict=True
            )
        ]
        operands = [judge(f"{term:.{decimals}f}", term) for term in terms]
        yield f"{steps / 10**decimals:.{decimals}f}", exact, grades, convention, operands


def explained(decimals, count, seed=7):
    """The share of wrong sums with a cause, of any kind and by one that is no pair and no digit."""
    causes = [
        judge(
            stated,
            exact,
            operands=operands,
            working=lambda *terms: sum(terms),
            alternatives=alternatives_for("dcg", grades, convention),
        ).causes
        for stated, exact, grades, convention, operands in wrong_sums(decimals, count, seed)
    ]
    causes = [each for each in causes if each]  # a print that the rule admits is not wrong
    some = sum(each != ("unexplained",) for each in causes)
    single = sum("+" not in each[0] and each[0] not in ("digit", "unexplained") for each in causes)
    return some / len(causes), single / len(causes)


def main():
    """Print the table."""
    grades = [3, 2, 2, 1, 2, 1, 0, 0, 1]
    exact = plain.dcg(grades, convention=EXPONENTIAL)
    agreeing = seconds(lambda: judge("12.64", exact), 2000)
    diagnosed = seconds(lambda: judge("13.11", exact, alternatives=alternatives_for("dcg", grades, EXPONENTIAL)), 20)
    equation = seconds(lambda: [read_equation(line) for line in LINES], 100) / len(LINES)
    print(f"{'what':44} {'measured':>12} {'goal':>12} {'ratio':>7}")
    rows = [
        ("verdicts that agree, per second", 1 / agreeing, 20_000),
        ("verdicts with full diagnosis, per second", 1 / diagnosed, 200),
        ("equations read, per second", 1 / equation, 10_000),
    ]
    for name, measured, goal in rows:
        print(f"{name:44} {measured:12,.0f} {goal:12,.0f} {measured / goal:7.2f}")
    for decimals, goal, count in ((2, 0.16, 2000), (3, 0.03, 2000)):
        some, single = explained(decimals, count)
        name = f"wrong sums of {decimals} decimals with a cause"
        print(f"{name:44} {some:12.1%} {goal:12.0%} {some / goal:7.2f}   (single causes alone: {single:.1%})")


if __name__ == "__main__":
    main()
