import { plural } from '../../reporting/plural.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { CAPABILITIES, type Capability, isRequirementId, requirement } from '../../spec/requirements/index.ts'
import { answeredBuild } from '../execute/answeredRoute.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { check } from './errors.ts'
import { BUILD_PATH, CONFIRM_PATH } from './recordedReports.ts'

/** The basis of the verdicts on a service from outside, as its recording declares it. The service may have declared more. */
export interface JudgedAs {
  readonly profile: 'http' | 'sandbox'
  readonly capabilities: readonly string[]
  /** True if a broken convention counts as a failure. */
  readonly strict: boolean
  /** Null: the run had no client. */
  readonly client: JudgedClient | null
  /** Capabilities that the service used without declaring them: they are not judged. */
  readonly undeclared: readonly Capability[]
}

/** Facts about a client that its recording cannot prove. */
export interface JudgedClient {
  /** Null: its case did not reach its end, and the client is not judged. */
  readonly ending: DraftOf<'client'>['ending'] | null
  /** Number of responses that the case replaced or withheld. */
  readonly changed: number
}

/** @returns null: it is a recording of the reference, of which everything is judged. */
export function judgedAs(entries: Drafts): JudgedAs | null {
  const { outside } = only(entries, 'manifest')[1]
  if (outside === undefined) return null
  const { profile, capabilities, strict, absent } = outside
  const client = absent.includes('client') ? judgedClient(entries) : null
  const used = usedIn(entries)
  const undeclared = CAPABILITIES.filter((each) => used.has(each) && !capabilities.includes(each))
  return { profile, capabilities, strict, undeclared, client }
}

/** Describes the basis of the verdicts, in sentences for a list. */
export function describeJudgedAs(judged: JudgedAs): readonly string[] {
  const { profile, capabilities, strict, undeclared, client } = judged
  const declared = capabilities.length === 0 ? 'no capabilities' : `capabilities ${capabilities.join(', ')}`
  const conventions = strict ? 'conventions count' : 'conventions do not count'
  return [
    `judged as the file says: profile ${profile}, ${declared}; ${conventions}`,
    ...(client === null ? [] : [describeClient(client)]),
    ...(undeclared.length === 0 ? [] : [`used, and not judged: ${undeclared.join(', ')}`]),
  ]
}

function judgedClient(entries: Drafts): JudgedClient {
  const [[, client] = []] = positioned(entries, 'client')
  const changed = client?.requests.filter(({ got }) => got === null || got.instead !== null) ?? []
  return { ending: client?.ending ?? null, changed: changed.length }
}

function describeClient({ ending, changed }: JudgedClient): string {
  if (ending === null) return 'the client is not judged: its case did not come to its end'
  const responses =
    changed === 0 ? '' : `, and ${plural(changed, 'response')} that the case changed or cut off`
  return `unproven of the client: when it sent what, where it held its keys, how it ended (${ending})${responses}`
}

/**
 * Checks that the case did not fail in a requirement of a capability that its service does not declare.
 *
 * @throws {ContradictionError} it did.
 */
export function checkDeclared(entries: Drafts): void {
  const { outside } = only(entries, 'manifest')[1]
  const [at, { case: ended }] = only(entries, 'outcome')
  const id = ended?.requirement ?? null
  if (outside === undefined || id === null || !isRequirementId(id)) return
  const { capability } = requirement(id)
  const isDeclared = capability === undefined || outside.capabilities.includes(capability)
  check(isDeclared, at, 'case.requirement', `${id} needs ${capability}, which the manifest does not have`)
}

function usedIn(entries: Drafts): ReadonlySet<Capability> {
  const used = new Set<Capability>()
  for (const [, http] of positioned(entries, 'http')) {
    const { status } = http.answer ?? {}
    const build = http.path === BUILD_PATH && status === 200 ? answeredBuild(http) : null
    if (build !== null && build.attribution !== null) used.add('attribution')
    if (build?.tx.permit2 === true) used.add('permit2')
    const isCredited = http.path === CONFIRM_PATH && status === 200 && isRecorded(http.answer?.body)
    if (isCredited) used.add('attribution')
    if (http.path === PARTNER_REPORT.path && status === 200) used.add('partner-report')
  }
  for (const [, { moments }] of positioned(entries, 'report')) {
    if (moments.some(({ key }) => key === 'revoked')) used.add('key-revocation')
    if (moments.some(({ budget }) => budget === 'spent')) used.add('confirm-budget')
  }
  return used
}

function isRecorded(body: string | undefined): boolean {
  return membersOf(parseJson(body ?? '')).recorded === true
}
