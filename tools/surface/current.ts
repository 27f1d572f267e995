import { fileURLToPath } from 'node:url'
import { casesForClients } from '../../conformance/client/index.ts'
import { conformanceCases } from '../../conformance/index.ts'
import { propertyCases } from '../../property/cases.ts'
import { COMMANDS } from '../../src/cli/commandList.ts'
import { standardOutput } from '../../src/cli/terminal/output.ts'
import { namedScenarios } from '../../src/runner/scenarios/scenarioFolder.ts'
import { EXIT } from '../../src/runner/verdict/exitCode.ts'
import { openPoints } from '../../src/spec/openPoints/index.ts'
import { allRequirements } from '../../src/spec/requirements/index.ts'
import { READ, WRITTEN } from '../schemas/formats.ts'
import { exportsOf } from './exports.ts'
import { fieldsOf } from './formats.ts'
import { programOf } from './program.ts'
import type { Surface } from './surface.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the public surface of this checkout. */
export function currentSurface(manifest: { readonly exports: Readonly<Record<string, unknown>> }): Surface {
  const commands = Object.values(COMMANDS).map((declare) => declare(standardOutput, () => {}))
  const cases = [...conformanceCases(), ...casesForClients(), ...propertyCases({ seed: 1, budget: 'quick' })]
  const modules = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object')
  return {
    ...Object.fromEntries(Object.keys(manifest.exports).map((path) => [`path ${path}`, 'an import'])),
    ...exportsOf(
      Object.fromEntries(
        modules.map(([path]) => {
          const name = path.slice(2) || 'index'
          return [name, `${ROOT}src/api/${name}.ts`]
        }),
      ),
      (file) => file.startsWith(ROOT) && !file.includes('/node_modules/'),
    ),
    ...programOf(commands),
    ...Object.fromEntries(
      Object.entries(EXIT).map(([ending, code]) => [`exit code ${ending}`, String(code)]),
    ),
    ...Object.assign({}, ...READ.map(([name, , schema]) => fieldsOf(name, schema, 'input'))),
    ...Object.assign({}, ...WRITTEN.map(([name, , schema]) => fieldsOf(name, schema, 'output'))),
    ...Object.fromEntries(allRequirements().map(({ id, level }) => [`requirement ${id}`, level])),
    ...Object.fromEntries(cases.map(({ id }) => [`case ${id}`, 'a case'])),
    ...Object.fromEntries(namedScenarios().map(({ id }) => [`case scenario.${id}`, 'a case'])),
    ...Object.fromEntries(openPoints().map(({ name }) => [`open point ${name}`, 'a point'])),
  }
}
