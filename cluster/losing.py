"""Evaluate on Spark, and lose a worker half-way."""

import threading

from cluster.comparing import worst_difference
from ndcg_ref import evaluate

MEASURE = "nDCG@10"
FEWEST_TASKS = 8  # of a stage that counts as work


def losing_a_worker(cluster, session, right, files):
    """Kill a worker when half the tasks of a stage are done; the values must be those of the text all the same."""
    killed, done = {}, threading.Event()
    watcher = threading.Thread(target=kill_half_way, args=(cluster, session, killed, done))
    watcher.start()
    try:
        result = evaluate(*map(str, files), MEASURE, engine=session)
    finally:
        done.set()
        watcher.join()
    if not killed:
        raise SystemExit(f"Spark: expected a stage of {FEWEST_TASKS} tasks or more to be half done, saw none")
    worst = worst_difference("Spark, one worker lost", result, right)
    left = session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()
    return {**killed, "executors left": len(left) - 1, "counts": result.counts, "worst": worst}  # one is the driver


def kill_half_way(cluster, session, killed, done):
    """Kill the first worker once half the tasks of a stage are done, and others are not."""
    tracker = session.sparkContext.statusTracker()
    while not done.wait(0.02):
        for stage in filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds())):
            finished, tasks = stage.numCompletedTasks, stage.numTasks
            if tasks >= FEWEST_TASKS and tasks / 2 <= finished < tasks - 1:
                cluster.kill(cluster.workers[0])
                killed.update({"tasks": tasks, "done when killed": finished})
                return
