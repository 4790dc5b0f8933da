import { flowCaps } from '../../../engine/flow/schema'
import { isYaml } from '../../../engine/interop/isYaml'

export type FlowFileProblem = 'tooLarge' | 'noFlow' | 'unreadable'

/** A flow file's text, or why it is invalid, before it is sent. */
export async function readFlowFile(file: File): Promise<{ source: string } | { problem: FlowFileProblem }> {
  if (file.size > flowCaps.bytes) return { problem: 'tooLarge' }
  try {
    const source = await file.text()
    return isYaml(source) || isJson(source) ? { source } : { problem: 'noFlow' }
  } catch {
    return { problem: 'unreadable' }
  }
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source)
    return true
  } catch {
    return false
  }
}

/** A chatbot's name from a file name: without extension, and with separators as spaces. */
export const nameFromFile = (fileName: string): string =>
  fileName
    .replace(/\.[^.]+$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
