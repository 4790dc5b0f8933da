import { CalendarClock } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { CalendlyBookingData } from './schema'

function CalendlyBookingFace({ data: { eventType } }: FaceProps<CalendlyBookingData>) {
  const { t } = useTranslation('blocks')
  return (
    <FaceText lines={1} faint={eventType === null}>
      {eventType === null ? (
        t('calendly-booking.face.empty')
      ) : (
        <Trans
          t={t}
          i18nKey="calendly-booking.face.book"
          values={{ name: eventType.name }}
          components={{ strong: <strong /> }}
        />
      )}
    </FaceText>
  )
}

export const face: BlockFace<CalendlyBookingData> = {
  icon: CalendarClock,
  height: () => faceMetrics.line,
  Component: CalendlyBookingFace,
}
