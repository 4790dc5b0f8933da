import { Phone } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { PhoneInputData } from './schema'

export const face = createInputFace<PhoneInputData>('phone-input', Phone)
