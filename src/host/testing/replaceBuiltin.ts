import { syncBuiltinESMExports } from 'node:module'

/**
 * Replaces functions of a module of Node, for whoever imported them by name as well.
 *
 * @param module its default export.
 * @returns takes it back.
 */
export function replaceBuiltin<Module extends object>(module: Module, replaced: Partial<Module>): () => void {
  const originals = Object.fromEntries(Object.keys(replaced).map((name) => [name, Reflect.get(module, name)]))
  const put = (functions: object) => {
    Object.assign(module, functions)
    syncBuiltinESMExports()
  }
  put(replaced)
  return () => put(originals)
}
