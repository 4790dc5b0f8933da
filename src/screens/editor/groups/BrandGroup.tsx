import { useTranslation } from 'react-i18next'
import { lookCaps } from '../../../../server/contracts/web/look'
import { ImageField } from '../../../chatbots/ImageField'
import { TextField } from '../../../ui/TextField'
import type { GroupProps } from '../groupProps'

/** Who one talks to: name, picture, logo, and the line above the conversation. */
export function BrandGroup({ draft: { look, errors, change }, readOnly, pgid }: GroupProps) {
  const { t } = useTranslation('appearance')
  return (
    <>
      <TextField
        label={t('brand.name')}
        description={t('brand.nameAbout')}
        value={look.brand.name}
        maxLength={lookCaps.name}
        error={errors['brand.name']}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          change('brand.name', (next) => {
            next.brand.name = value
          })
        }
      />
      <TextField
        label={t('brand.title')}
        description={t('brand.titleAbout')}
        value={look.texts.header_title}
        maxLength={lookCaps.headerTitle}
        error={errors['texts.header_title']}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          change('texts.header_title', (next) => {
            next.texts.header_title = value
          })
        }
      />
      {(['avatar', 'logo'] as const).map((part) => (
        <ImageField
          key={part}
          pgid={pgid}
          label={t(`brand.${part}`)}
          about={t(`brand.${part}About`)}
          round={part === 'avatar'}
          value={look.brand[part]}
          error={errors[`brand.${part}`]}
          readOnly={readOnly}
          onChange={(value) =>
            change(`brand.${part}`, (next) => {
              next.brand[part] = value
            })
          }
        />
      ))}
    </>
  )
}
