"""The side process of a training job: reports to the cache manager, follows plans and preloads chunks.

A process of its own, because a training process is busy and its interpreter runs one thread at a time; and
started afresh, never forked, because forked threads are no threads. It speaks JSON, one document a line: on
standard input the job's status, on standard output plans and news. It ends when its standard input does, so
a training process that is killed leaves nothing behind.
"""
