import { Contact } from 'lucide-react'
import { createRecordFace } from '../../src/text/face/recordFace'

export const face = createRecordFace('hubspot-record', Contact)
