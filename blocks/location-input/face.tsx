import { MapPinned } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { LocationInputData } from './schema'

export const face = createInputFace<LocationInputData>('location-input', MapPinned)
