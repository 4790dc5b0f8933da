import { createInputFace } from '../../src/text/face/createInputFace'
import type { TextInputData } from './schema'

export const face = createInputFace<TextInputData>('text-input')
