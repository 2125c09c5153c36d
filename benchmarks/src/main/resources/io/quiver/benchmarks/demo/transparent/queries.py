"""Reads tables of a bucket, popular ones far more often (Zipf), with several threads.

Uses boto3; without it, plain HTTP.
"""

import random
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

endpoint, bucket, prefix = sys.argv[1:4]
tables, queries, threads, seed = (int(word) for word in sys.argv[4:8])

try:
    import boto3
    from botocore.config import Config

    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        config=Config(max_pool_connections=threads, s3={"addressing_style": "path"}),
    )

    def read(key):
        return len(client.get_object(Bucket=bucket, Key=key)["Body"].read())
except ImportError:

    def read(key):
        with urllib.request.urlopen(f"{endpoint}/{bucket}/{key}") as answer:
            return len(answer.read())


names = [f"{prefix}/table-{number:04d}.parquet" for number in range(tables)]
order = random.Random(seed)
order.shuffle(names)
weights = [1 / (rank + 1) for rank in range(tables)]
with ThreadPoolExecutor(threads) as pool:
    print(sum(pool.map(read, order.choices(names, weights, k=queries))))
