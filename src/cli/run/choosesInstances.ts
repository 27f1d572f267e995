import type { RunOptions } from './flags.ts'

/**
 * Returns whether the run chooses how many copies of a service it starts: the command keeps what the service stores in a directory that
 * each copy has of its own.
 */
export function choosesInstances({
  instances,
  start = '',
  sandbox,
  watch = false,
  profile,
}: Partial<Pick<RunOptions, 'instances' | 'start' | 'sandbox' | 'watch' | 'profile'>>): boolean {
  if (instances !== undefined || sandbox !== undefined || watch !== false || profile === 'http') return false
  return start.includes('PLUMBLINE_DIR')
}
