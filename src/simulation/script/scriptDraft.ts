import type { Stream } from '../seed.ts'
import type { ScriptModel } from './scriptModel.ts'
import type { ScriptOptions } from './scriptOptions.ts'

/** A script that is being generated. */
export interface ScriptDraft {
  readonly model: ScriptModel
  readonly stream: Stream
  readonly options: ScriptOptions
  /** True if no step acts inside the service, and its only node never lags. */
  readonly onChain: boolean
}
