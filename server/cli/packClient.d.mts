export function packClient(outDir?: string): Promise<string>
