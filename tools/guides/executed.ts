/** Describes what executes a command that a guide shows. */
export type Executor =
  | 'npm test'
  | '.ci/run'
  | 'npm run check:installed'
  | 'npm run check:guides:run'
  | 'npm run check:guides:run -- --long'

const TEST: Executor = 'npm test'
const CI: Executor = '.ci/run'
const INSTALLED: Executor = 'npm run check:installed'
/** Commands that take more than a second, write files, or need a shell. */
const RUN: Executor = 'npm run check:guides:run'

/** Commands that take many minutes: for whoever changes them, or a nightly run. */
const LONG: Executor = 'npm run check:guides:run -- --long'

/** Every command in a block of a guide, with what executes it and compares its output. */
export const EXECUTED: Readonly<Record<string, Executor>> = {
  'npm ci && npx plumbline run --seed 1': CI,
  'npm ci && npm test': CI,
  'npm install --save-dev plumbline vitest': INSTALLED,
  "npx plumbline conform --start 'python3 docs/skeleton/service.py' --profile http --capabilities docs/skeleton/capabilities.json":
    RUN,
  "npx plumbline conform --start 'python3 docs/skeleton/service.py' --watch --profile http --capabilities docs/skeleton/capabilities.json --only quote.route.market":
    RUN,
  "npx plumbline conform --start 'python3 docs/skeleton/service.py' --profile http --capabilities docs/skeleton/capabilities.json --only quote.route.market --keep":
    RUN,
  "npx plumbline conform --start 'python3 docs/python/serve.py' --profile http --only 'quote.route.*' 'quote.refuses.*'":
    RUN,
  "npx plumbline conform --start 'python3 docs/python/serve.py' --only quote.venue-fault quote.upstream.rubbish":
    RUN,
  "npx plumbline conform --start 'python3 docs/python/serve.py' --only build.approval build.fall-through.venue_b":
    RUN,
  "npx plumbline conform --start 'python3 docs/python/serve.py' --only confirm.depth confirm.match confirm.block-changed":
    RUN,
  "npx plumbline conform --start 'python3 docs/python/serve.py' --strict --capabilities docs/python/capabilities.json":
    RUN,
  "npx plumbline conform --start 'python3 docs/python/serve.py' --instances 2 --only confirm.depth quote.memo.ends":
    RUN,
  'npx plumbline sandbox --driven --manifest sandbox.json': RUN,
  'PLUMBLINE_KEYS=docs/example.keys.json npx plumbline serve --sandbox sandbox.json --port 4663': RUN,
  'npx plumbline conform --target http://127.0.0.1:4663 --sandbox sandbox.json --keys docs/example.keys.json --only confirm.depth':
    RUN,
  "npx plumbline conform --capabilities docs/reference.capabilities.json --start 'BUDGET_WINDOW_MS=5000 npx plumbline serve --database file:$PLUMBLINE_DIR/service.db'":
    RUN,
  'npx plumbline explain confirm.pending': TEST,
  "npx plumbline conform --start ./run-my-service --profile http --only quote.route --baseline plumbline.baseline.json --update-baseline --reason 'prices come next' --link https://example.com/issues/12 --expires 2099-12-31":
    RUN,
  'npx plumbline conform --start ./run-my-service --profile http --only quote.route --baseline plumbline.baseline.json':
    RUN,
  'npx plumbline conform reference --only confirm.window --shard 1/2 --out shards/1': RUN,
  'npx plumbline conform reference --only confirm.window --shard 2/2 --out shards/2': RUN,
  'npx plumbline merge shards --out reports/conform': RUN,
  'npx plumbline conform reference': RUN,
  "npx plumbline simulate 'reorg.*' --record recordings": RUN,
  'npx plumbline verify recordings': RUN,
  'npx plumbline campaign run --seeds 1..20 --workers 2': RUN,
  "npx plumbline keys signing release.key --name 'release of acme'": RUN,
  'npx plumbline sign recordings --key release.key': RUN,
  'npx plumbline verify recordings --signer release.key.pub': RUN,
  'npx plumbline replay recordings': RUN,
  'npx plumbline show reports/golden/reorg.moves-to-later-block.json': TEST,
  'npx plumbline run --only scenario.window --out reports/window': RUN,
  'npx plumbline report reports/window': RUN,
  'npx plumbline diff reports/window reports/window': RUN,
  'npx plumbline report --recording reports/golden/reorg.moves-to-later-block.json': RUN,
  'npx plumbline diff reports/golden/depth.eleven-twelve-thirteen.json reports/golden/window.at-the-end.json':
    TEST,
  'npx plumbline conform reference --only confirm.tx-hash.upper-case': RUN,
  'npx plumbline prove --only confirm.tx-hash.of-swap': RUN,
  'npx plumbline explain confirm.tx-hash.of-swap': TEST,
  'npx plumbline prove --only confirm.depth.twelve': RUN,
  'npm run property -- --seed 1': RUN,
  'npm run property -- --seed 1 --budget full': LONG,
  'npm run property -- --only quote.delta-from-net': RUN,
  'npx plumbline prove --properties': LONG,
  'npm run property -- --json': RUN,
  'npm run fuzz -- manifest keys --seed 7 --runs 1000': RUN,
}
