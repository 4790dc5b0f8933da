import type { InlineConfig } from 'vite'

export const serverBuild: InlineConfig & { root: string }
export function buildAll(): Promise<void>
