export interface DeclaredModule {
  purpose: string
  needs: readonly string[]
}
export function graphOf(declared?: Readonly<Record<string, DeclaredModule>>): string[]
export function printGraph(): void
