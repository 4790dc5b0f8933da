export const NAMESPACE: string
export function notesOf(release: {
  version: string
  commit: string
  from: string | null
  subjects: readonly string[]
  sbom: Uint8Array
}): string
export function sign(file: string, key: string): void
export function writeRelease(given: { from?: string; key?: string; out: string }): string
