import { Link2 } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { UrlInputData } from './schema'

export const face = createInputFace<UrlInputData>('url-input', Link2)
