import type { DeclaredModule } from './modules.mjs'

export function graphOf(declared?: Readonly<Record<string, DeclaredModule>>): string[]
export function printGraph(): void
