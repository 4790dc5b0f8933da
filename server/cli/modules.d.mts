export interface DeclaredModule {
  purpose: string
  needs: readonly string[]
}
export const layers: Readonly<Record<string, string>>
export function declaredModules(folder?: string): Readonly<Record<string, DeclaredModule>>
