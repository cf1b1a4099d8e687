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
# Compiled kernels are kept where any user may write.
ENV NUMBA_CACHE_DIR=/tmp/sdckit-kernels
USER steward
WORKDIR /data
ENTRYPOINT ["sdckit"]
CMD ["--help"]
