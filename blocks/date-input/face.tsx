import { CalendarDays } from 'lucide-react'
import { createInputFace } from '../../src/text/face/createInputFace'
import type { DateInputData } from './schema'

export const face = createInputFace<DateInputData>('date-input', CalendarDays)
