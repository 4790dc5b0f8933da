import { Hash } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { NumberInputData } from './schema'

export const face = createInputFace<NumberInputData>('number-input', Hash)
