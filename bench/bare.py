"""The least that a service of this kind can be: FastAPI and uvicorn with one route, nothing else. `python -m bench.bare PORT`."""

import sys

import uvicorn
from fastapi import FastAPI

HEALTH = "/api/v1/health"


def create_api() -> FastAPI:
    """Return an API that answers whether it is well."""
    api = FastAPI(docs_url=None, redoc_url=None)

    @api.get(HEALTH)
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    return api


if __name__ == "__main__":
    uvicorn.run(create_api(), host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False)
