import { AtSign } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { EmailInputData } from './schema'

export const face = createInputFace<EmailInputData>('email-input', AtSign)
