export function buildEmbed(outDir: string): Promise<void>
