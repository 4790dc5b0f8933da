import packageJson from '../../../../package.json' with { type: 'json' }

/** The version of the program that runs. */
export const ownVersion: string = packageJson.version

const RELEASE = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/

/** @returns the version that a release's tag, foreign text, names (`v1.2.3`), as `1.2.3`; null for any other tag */
export function versionOf(tag: string): string | null {
  const parts = RELEASE.exec(tag)
  return parts ? parts.slice(1).map(Number).join('.') : null
}

/** Whether a version (`1.2.3`) is a later one. */
export function isLater(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) => each.split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}
