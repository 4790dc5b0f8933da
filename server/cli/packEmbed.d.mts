export function packEmbed(outDir?: string): Promise<string>
