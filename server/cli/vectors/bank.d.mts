export interface Topic {
  file: string
  name: string
  said: string[]
  asked: string[]
}
export function readBank(folder: string): Topic[]
