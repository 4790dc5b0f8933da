export function buildFirstView(outDir: string): Promise<unknown>
