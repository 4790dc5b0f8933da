import { Cloud } from 'lucide-react'
import { createRecordFace } from '../../src/text/face/recordFace'

export const face = createRecordFace('salesforce-record', Cloud)
