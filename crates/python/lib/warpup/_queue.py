"""The module `queue` of programs, where one thread puts and takes."""

import heapq
from collections import deque

from warpup._threading import _stuck


class Empty(Exception):
    """There is nothing to take."""


class Full(Exception):
    """There is no room."""


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self.queue = self._made()

    def _made(self):
        return deque()

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            if not block or timeout is not None:
                raise Full
            _stuck("put() into a full queue")
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if not self.queue:
            if not block or timeout is not None:
                raise Empty
            _stuck("get() from an empty queue")
        return self._get()

    def put_nowait(self, item):
        self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks:
            _stuck("join() of a queue with unfinished tasks")


class SimpleQueue(Queue):
    def __init__(self):
        super().__init__()


class LifoQueue(Queue):
    def _made(self):
        return []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(LifoQueue):
    def _put(self, item):
        heapq.heappush(self.queue, item)

    def _get(self):
        return heapq.heappop(self.queue)
