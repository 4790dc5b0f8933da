import type { InlineConfig } from 'vite'

export const serverBuild: InlineConfig & { root: string }
export function buildCli(outDir: string): Promise<unknown>
export function buildAll(): Promise<void>
