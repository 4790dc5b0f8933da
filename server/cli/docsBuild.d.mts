export function docsAreCurrent(): boolean
export function buildDocs(): Promise<void>
