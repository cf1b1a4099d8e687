# sdckit in a container: the folder with the files is /data.
#   docker build --tag sdckit .
#   docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD:/data" sdckit describe survey.csv
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m pip install --no-cache-dir --prefix /installed ".[all]"

FROM python:3.13-slim
COPY --from=build /installed /usr/local
RUN sdckit man --out /usr/local/share/man/man1 --quiet && useradd --create-home steward
# Kernels are compiled once, and kept where any user may write: those of another processor are compiled anew.
ENV NUMBA_CACHE_DIR=/var/cache/sdckit-kernels
RUN mkdir "$NUMBA_CACHE_DIR" && sdckit warm-up --quiet && chmod --recursive a+rwX "$NUMBA_CACHE_DIR"
USER steward
WORKDIR /data
ENTRYPOINT ["sdckit"]
CMD ["--help"]
