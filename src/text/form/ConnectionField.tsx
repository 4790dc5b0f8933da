import { useTranslation } from 'react-i18next'
import type { VendorSlug } from '../../../server/contracts/integrations'
import { useFlowScope } from '../flowScope'
import { FormNote } from './FormNote'
import { PickField } from './PickField'

/** One of the project's connections to a vendor; without any, the way to the screen where they are made. */
export function ConnectionField({
  name,
  vendor,
  vendorName,
}: {
  name: string
  vendor: VendorSlug
  vendorName: string
}) {
  const { t } = useTranslation('text')
  const { connections } = useFlowScope()
  if (!connections) return null
  const own = connections.all.filter((each) => each.vendor === vendor)
  const link = { to: connections.screen, text: t('connections.connect') }
  if (own.length === 0)
    return (
      <FormNote warns link={link}>
        {t('connections.none', { vendor: vendorName })}
      </FormNote>
    )
  return (
    <>
      <PickField
        name={name}
        data={own.map(({ gid, account }) => ({ value: gid, label: account }))}
        gone={t('connections.gone')}
        needed
      />
      {own.some(({ problem }) => problem !== null) && (
        <FormNote warns link={link}>
          {own.find(({ problem }) => problem !== null)?.problem?.message}
        </FormNote>
      )}
    </>
  )
}
