/** The part of a bill of materials that is checked. */
export interface BillOfMaterials {
  readonly components: readonly {
    readonly group?: string
    readonly name: string
    readonly version: string
    readonly licenses?: readonly unknown[]
    readonly evidence?: unknown
  }[]
}

/**
 * Returns a line for each omission of a bill of materials.
 *
 * @param bundled versions by name of everything that the package contains code of, as the build counted them.
 */
export function billProblems(
  { components }: BillOfMaterials,
  bundled: Readonly<Record<string, string>>,
): readonly string[] {
  const listed = new Map<string, boolean>()
  for (const { group, name, version, licenses = [] } of components)
    listed.set(`${group === undefined ? '' : `${group}/`}${name} ${version}`, licenses.length > 0)
  const held = Object.entries(bundled).flatMap(([name, versions]) =>
    versions.split(', ').map((version) => `${name} ${version}`),
  )
  return [
    ...held
      .filter((each) => !listed.has(each))
      .map((each) => `bom.json does not list ${each}, which the package holds`),
    ...[...listed]
      .filter(([, isLicensed]) => !isLicensed)
      .map(([each]) => `bom.json has no licence of ${each}`),
  ]
}
