/**
 * Checks house rules that no linter knows: where time, randomness and waiting may come from, what may not be committed, and
 * plain words. Prints one line for each breach and exits with 1 if there is any.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { overBudget } from './lineBudget.ts'
import { idiomsIn } from './plainWords.ts'

interface Rule {
  readonly name: string
  readonly pattern: RegExp
  readonly instead: string
  /** Files that implement what the rule protects, or must name it. */
  readonly except: readonly RegExp[]
}

const CODE = /\.(ts|mts|mjs|js)$/
const GUIDE = /^(?:\w+|docs\/(?:internals\/)?[\w-]+)\.md$/
/** Files that must name what they refuse, and the guide that shows it. */
const SELF = /^(?:tools\/(?:house-rules|plainWords)|CONTRIBUTING\.md)/
const CONFIG = /^\.dependency-cruiser\.mjs$/
/** The service's implementations of its ports: the only places that read the system clock and randomness. */
const SYSTEM_PORTS = /^src\/service\/system\//
/** Code that deals with real processes and durations. */
const REAL_TIME = [
  /^src\/sandbox\/(anvil|live|rpc)[^/]*\.ts$/,
  /^src\/host\//,
  /^src\/cli\//,
  /^src\/reporting\/html\/page\/live\.ts$/,
  /^bench\//,
  /^tools\/load\//,
  /^tools\/fuzz\/main\.ts$/,
  /^src\/targets\/(realTime|transports\/httpTransport|chain\/lineProxy|starting\/(readiness|revoke|spawn)|testing\/hostile(Answers|Processes))[^/]*\.ts$/,
]
/** Generates a password that must not be guessable. */
const SECRETS = /^src\/host\/embeddedPostgres\.ts$/
const TRIPWIRE = /^src\/simulation\/tripwire/
/** Files that end the contexts they create. */
const CONTEXTS = [/^src\/host\/asyncContext/, /^src\/recordings\/record\/insideTap\.ts$/]
/** A third-party service, which does not know the ports. */
const STRANGER = /^src\/cli\/testdata\/plain-service\.mjs$/
/** The example clients, which do not know the ports. */
const CLIENTS = /^docs\/clients\//
/** Files that wait for turns of the event loop and read no clock. */
const TURNS = /^src\/(?:simulation\/run\/quiescence|evm\/evmSandbox)/

/** Files that read files of this package, of its dependencies, or of the system. */
const OWN_FILES = [
  /^src\/host\/(?:foreignFile|built|embeddedPostgres|lock|marked|orphans|version)\.ts$/,
  /^src\/(?:cli\/init\/writeConfiguration|recordings\/record\/environment|reporting\/html\/shell|simulation\/tripwire\/moduleAt)\.ts$/,
  /^src\/(?:recordings\/browser|venues-mock\/compile)\//,
]
/** Files that start programs of this package or its dependencies, each with an explicit environment. */
const PROGRAMS = [
  /^src\/host\/(?:embeddedPostgres|marked|watchdog)\.ts$/,
  /^src\/(?:runner\/pool\/workers|sandbox\/binary|targets\/starting\/spawnGroup)\.ts$/,
]

const RULES: readonly Rule[] = [
  {
    name: 'no wall clock',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|process\.hrtime/,
    instead: 'read the time from the Clock port',
    except: [SELF, SYSTEM_PORTS, TRIPWIRE, STRANGER, CLIENTS, ...REAL_TIME],
  },
  {
    name: 'no hidden randomness',
    pattern: /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/,
    instead: 'draw from the seed stream or the Ids port',
    except: [SELF, SYSTEM_PORTS, SECRETS, TRIPWIRE, STRANGER],
  },
  {
    name: 'no timers',
    pattern: /\bset(?:Timeout|Interval|Immediate)\s*\(|timers\/promises|AbortSignal\.timeout/,
    instead: 'use Clock.after, which a simulation advances',
    except: [SELF, SYSTEM_PORTS, TRIPWIRE, TURNS, STRANGER, CLIENTS, ...REAL_TIME],
  },
  {
    name: 'no context that never ends',
    pattern: /\bnew AsyncLocalStorage\b/,
    instead: 'use AsyncContext of src/host: while one is followed, every promise of the process costs more',
    except: [SELF, ...CONTEXTS],
  },
  {
    name: 'one verb for each kind of assertion',
    pattern: /\bfunction (?:insist|demand|ensure)(?:[A-Z]\w*)?\b/,
    instead: 'assert… what a target owes, assume… what a case needs, check… input',
    except: [SELF, /^src\/cli\/campaign\/demand\.ts$/],
  },
  {
    name: 'no focused, skipped or retried test',
    pattern: /\b(?:it|test|describe)\.(?:only|skip|todo)\b|\bretry:\s*[1-9]/,
    instead: 'run every test, once',
    except: [SELF],
  },
  {
    name: 'no time limit of its own',
    pattern: /^\s*\}, [\d_]+\)$/,
    instead:
      'leave it to vitest.config.ts: what times out on a busy machine goes on during the tests that follow',
    except: [SELF, /(?<!\.test\.ts)$/],
  },
  {
    name: 'no path of one machine',
    pattern: /(?:^|[^A-Za-z0-9_.-])\/(?:work|tmp|root|home|farm)\/[A-Za-z]/,
    instead: 'build paths from import.meta.url or os.tmpdir()',
    except: [SELF],
  },
  {
    name: 'one function reads a file that anybody may have made',
    pattern: /\b(?:readFile(?:Sync)?|readdir(?:Sync)?|createReadStream)\b/,
    instead: 'use readForeignFile or readForeignFolder: a pipe or a device keeps whoever opens it',
    except: [/^(?!src\/(?!api\/))/, /\.test\.ts$|\/(?:testing|testdata)\//, ...OWN_FILES],
  },
  {
    name: 'no process with our whole environment',
    pattern: /'node:child_process'/,
    instead: 'use spawnGroup, which passes on what a program needs',
    except: [/^(?!src\/)/, /\.test\.ts$|\/testing\//, ...PROGRAMS],
  },
  {
    name: 'no work left open',
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    instead: 'finish it or leave it out',
    except: [SELF],
  },
]

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => existsSync(file))
const files = tracked.filter((file) => (CODE.test(file) && !CONFIG.test(file)) || GUIDE.test(file))

let breaches = 0
for (const file of files) {
  const rules = RULES.filter((rule) => CODE.test(file) && !rule.except.some((each) => each.test(file)))
  const text = readFileSync(file, 'utf8')
  for (const { line, found, instead } of SELF.test(file) ? [] : idiomsIn(file, text)) {
    breaches += 1
    console.error(`${file}:${line}: "${found}" is not plain English here; write: ${instead}`)
  }
  for (const [index, line] of text.split('\n').entries()) {
    for (const rule of rules) {
      if (!rule.pattern.test(line)) continue
      breaches += 1
      console.error(`${file}:${index + 1}: ${rule.name}; ${rule.instead}`)
    }
  }
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
for (const problem of overBudget(tracked, linesOf)) {
  breaches += 1
  console.error(problem)
}

const lockfile = readFileSync('package-lock.json', 'utf8')
if (lockfile.includes('"resolved"')) {
  breaches += 1
  console.error(
    'package-lock.json: holds download addresses; run `npm install --omit-lockfile-registry-resolved`',
  )
}
for (const section of ['dependencies', 'devDependencies'] as const) {
  const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  for (const [name, version] of Object.entries(manifest[section] ?? {})) {
    if (/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?$/.test(version)) continue
    breaches += 1
    console.error(`package.json: ${name} is "${version}"; pin an exact version`)
  }
}

if (breaches > 0) process.exitCode = 1
else console.log(`house rules: ${files.length} files, none broken`)
