import { TextCursorInput } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { TextInputData } from './schema'

export const face = createInputFace<TextInputData>('text-input', TextCursorInput)
