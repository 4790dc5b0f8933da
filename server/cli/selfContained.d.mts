export function packagesFor(names: readonly string[]): Promise<string[]>
