import type { VM } from '@ethereumjs/vm'

type Interpreter = NonNullable<Awaited<ReturnType<VM['evm']['runCode']>>['runState']>['interpreter']
type Destinations = ReturnType<Interpreter['_getValidJumpDestinations']>

let patched = false

/**
 * Makes EthereumJS search each code for its jump destinations once. By default it searches at each call of a contract, which
 * takes longer than most calls. The destinations follow from the code and the rules alone; machines with other rules are left
 * unchanged.
 *
 * @param vm any machine with these rules.
 */
export async function rememberJumpDestinations(vm: VM): Promise<void> {
  if (patched) return
  patched = true
  const { runState } = await vm.evm.runCode({ code: new Uint8Array(1) })
  if (runState === undefined) return
  const prototype: Interpreter = Object.getPrototypeOf(runState.interpreter)
  const search = prototype._getValidJumpDestinations
  const found = new WeakMap<Uint8Array, Destinations>()
  prototype._getValidJumpDestinations = function (this: Interpreter, code: Uint8Array): Destinations {
    if (this._evm.common !== vm.common) return search.call(this, code)
    const known = found.get(code)
    if (known !== undefined) return known
    const destinations = search.call(this, code)
    found.set(code, destinations)
    return destinations
  }
}
