import { syncBuiltinESMExports } from 'node:module'

/**
 * Replaces functions of a module of Node, also for modules that imported them by name.
 *
 * @param module its default export.
 * @returns a function that restores them.
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
