"""Amazon's object store by moto, on loopback, behind a proxy that makes faults."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock
from urllib.request import Request, urlopen

import s3fs  # type: ignore[import-untyped]
from fault_proxy import Proxy, proxy_before
from moto.server import ThreadedMotoServer

Address = tuple[str, int]


@contextmanager
def s3_server() -> Iterator[Address]:
    """Serve Amazon's interface; give host and port."""
    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    yield started.get_host_and_port()
    started.stop()


@contextmanager
def empty_bucket(server: Address) -> Iterator[Proxy]:
    """Serve an empty bucket `results`, to this process and those it starts; give the proxy."""
    host, port = server
    with proxy_before(host, port) as proxy:
        settings = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.server_port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "of-the-lab",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_MAX_ATTEMPTS": "3",
        }
        with mock.patch.dict(os.environ, settings):
            urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
            urlopen(Request(f"http://{host}:{port}/results", method="PUT")).close()
            s3fs.S3FileSystem.clear_instance_cache()
            yield proxy
