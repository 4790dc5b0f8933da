export interface Licence {
  name: string
  version: string
  licence: string
  text: string | null
}
export function listLicences(): Promise<Licence[]>
export function writeLicences(file: string): Promise<void>
