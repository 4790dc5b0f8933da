/** Of the same kind as those in English (unrelatedEn.ts), by ISO 639-1: as they are asked there, not translated. */
export const unrelatedOthers: Readonly<Record<string, string>> = {
  de: `Warum schnurren Katzen, wenn sie zufrieden sind?|Wie bekomme ich Rotwein aus dem Teppich?|Welcher Berg ist der höchste in Südamerika?
    |Wie lange muss ein Ei kochen?|Wann ist der erste Mensch auf dem Mond gelandet?|Wie viele Saiten hat eine Geige?|Was machen Bienen im Winter?
    |Wer hat gestern das Fußballspiel gewonnen?|Was soll ich heute Abend kochen?|Wie bringe ich meinem Hund Sitz bei?|Warum ist das Meer salzig?
    |Wohin fliegen die Schwalben im Herbst?|Wie sagt man danke auf Japanisch?|Ist die Tomate ein Obst oder ein Gemüse?|Wie entsteht ein Regenbogen?
    |Wie bindet man eine Krawatte?|Wie wird das Wetter morgen?|Was ist der Sinn des Lebens?|Wann pflanzt man am besten Tulpen?|Wie entstehen Vulkane?
    |Welches Tier ist an Land das schnellste?|Wie heißt die Hauptstadt der Mongolei?|Warum träumen wir in der Nacht?|Welches Instrument hat achtundachtzig Tasten?
    |Wo kann ich Polarlichter sehen?|Was sind die Regeln von Mühle?|Warum wird Brot hart?|Können Pferde im Stehen schlafen?|Wie wird Käse gemacht?
    |Was ist der Unterschied zwischen Frosch und Kröte?|Warum muss man bei Zwiebeln weinen?|Wie viele Zähne hat ein Hai?|Wie flicke ich einen Fahrradschlauch?
    |Wie tief ist der tiefste Ozean?|Wer war König von Frankreich während der Revolution?|Wie lang ist ein Marathon?|Woher kommt der Zimt?
    |Gibt es Leben auf anderen Planeten?|Was ist die Abseitsregel?|Kannst du mir einen guten Krimi empfehlen?|Wie strickt man einen Schal?|Was frisst eine Eule?`,
  es: `¿Por qué ronronean los gatos cuando están contentos?|¿Cómo quito una mancha de vino de la alfombra?|¿Cuál es la montaña más alta de Asia?
    |¿Cuánto tiempo hay que hervir un huevo?|¿Cuándo llegó el primer hombre a la luna?|¿Cuántas cuerdas tiene un violín?|¿Qué hacen las abejas en invierno?
    |¿Quién ganó el partido de anoche?|¿Qué puedo cenar hoy?|¿Cómo enseño a mi perro a sentarse?|¿Por qué es salado el mar?|¿Adónde van las golondrinas en otoño?
    |¿Cómo se dice gracias en japonés?|¿El tomate es una fruta o una verdura?|¿Cómo se forma el arco iris?|¿Cómo se hace el nudo de la corbata?
    |¿Qué tiempo hará mañana?|¿Cuál es el sentido de la vida?|¿Cuándo se plantan los tulipanes?|¿Cuál es el animal más rápido de la tierra?
    |¿Cuál es la capital de Mongolia?|¿Por qué soñamos por la noche?|¿Dónde se pueden ver auroras boreales?|¿Cuáles son las reglas del parchís?
    |¿Pueden dormir de pie los caballos?|¿Cómo se hace el queso?|¿En qué se diferencian una rana y un sapo?|¿Por qué lloramos al cortar cebolla?
    |¿Cuántos dientes tiene un tiburón?|¿Cómo se arregla un pinchazo de la bicicleta?|¿Quién era el rey de Francia durante la revolución?|¿Cuánto mide un maratón?
    |¿De dónde viene la canela?|¿Hay vida en otros planetas?|¿Qué es el fuera de juego?|¿Me recomiendas una buena novela policíaca?|¿Qué comen los búhos?`,
  fr: `Pourquoi les chats ronronnent-ils ?|Comment enlever une tache de vin sur un tapis ?|Quelle est la plus haute montagne d'Amérique du Sud ?
    |Combien de temps faut-il pour cuire un œuf ?|Quand a-t-on marché sur la lune ?|Combien de cordes a un violon ?|Que font les abeilles en hiver ?
    |Qui a gagné le match hier soir ?|Que puis-je cuisiner ce soir ?|Comment apprendre à mon chien à s'asseoir ?|Pourquoi la mer est-elle salée ?
    |Où vont les hirondelles en automne ?|Comment dit-on merci en japonais ?|La tomate est-elle un fruit ou un légume ?|Comment se forme un arc-en-ciel ?
    |Comment faire un nœud de cravate ?|Quel temps fera-t-il demain ?|Quel est le sens de la vie ?|Quand plante-t-on les tulipes ?
    |Quel est l'animal terrestre le plus rapide ?|Quelle est la capitale de la Mongolie ?|Pourquoi rêvons-nous la nuit ?|Quelles sont les règles du jeu de dames ?
    |Les chevaux dorment-ils debout ?|Comment fabrique-t-on le fromage ?|Quelle différence entre une grenouille et un crapaud ?|Pourquoi les oignons font-ils pleurer ?
    |Combien de dents a un requin ?|Comment réparer une crevaison de vélo ?|Quelle est la longueur d'un marathon ?|D'où vient la cannelle ?
    |Y a-t-il de la vie sur d'autres planètes ?|Qu'est-ce que le hors-jeu ?|Peux-tu me conseiller un bon roman policier ?|Que mangent les hiboux ?`,
  it: `Perché i gatti fanno le fusa?|Come si toglie una macchia di vino dal tappeto?|Qual è la montagna più alta del Sud America?|Quanto deve bollire un uovo?
    |Quando è andato il primo uomo sulla luna?|Quante corde ha un violino?|Cosa fanno le api in inverno?|Chi ha vinto la partita ieri sera?|Cosa cucino stasera?
    |Come insegno al mio cane a sedersi?|Perché il mare è salato?|Dove vanno le rondini in autunno?|Come si dice grazie in giapponese?|Il pomodoro è un frutto o una verdura?
    |Come si forma un arcobaleno?|Come si fa il nodo alla cravatta?|Che tempo farà domani?|Qual è il senso della vita?|Quando si piantano i tulipani?
    |Qual è l'animale terrestre più veloce?|Qual è la capitale della Mongolia?|Perché sogniamo di notte?|I cavalli dormono in piedi?|Come si fa il formaggio?
    |Che differenza c'è tra una rana e un rospo?|Perché le cipolle fanno piangere?|Quanti denti ha uno squalo?|Quanto è lunga una maratona?|Da dove viene la cannella?
    |C'è vita su altri pianeti?|Che cos'è il fuorigioco?|Mi consigli un bel giallo?`,
  pt: `Por que os gatos ronronam?|Como tiro uma mancha de vinho do tapete?|Qual é a montanha mais alta da Ásia?|Quanto tempo leva para cozinhar um ovo?
    |Quando o homem pisou na lua?|Quantas cordas tem um violino?|O que as abelhas fazem no inverno?|Quem ganhou o jogo ontem à noite?|O que posso cozinhar hoje?
    |Como ensino o meu cão a sentar?|Por que o mar é salgado?|Para onde vão as andorinhas no outono?|Como se diz obrigado em japonês?|O tomate é uma fruta ou um legume?
    |Como se forma o arco-íris?|Como se dá o nó na gravata?|Como vai estar o tempo amanhã?|Qual é o sentido da vida?|Quando se plantam tulipas?
    |Qual é o animal terrestre mais rápido?|Qual é a capital da Mongólia?|Por que sonhamos à noite?|Os cavalos dormem em pé?|Como se faz queijo?
    |Qual é a diferença entre uma rã e um sapo?|Por que a cebola faz chorar?|Quantos dentes tem um tubarão?|Quantos quilômetros tem uma maratona?|De onde vem a canela?
    |Existe vida em outros planetas?|O que é um impedimento no futebol?|Você me recomenda um bom romance policial?`,
  nl: `Waarom spinnen katten?|Hoe krijg ik rode wijn uit het tapijt?|Wat is de hoogste berg van Azië?|Hoe lang moet een ei koken?|Wanneer liep de eerste mens op de maan?
    |Hoeveel snaren heeft een viool?|Wat doen bijen in de winter?|Wie heeft gisteren de wedstrijd gewonnen?|Wat zal ik vanavond koken?|Hoe leer ik mijn hond zitten?
    |Waarom is de zee zout?|Waar vliegen zwaluwen in de herfst heen?|Hoe zeg je bedankt in het Japans?|Is een tomaat fruit of groente?|Hoe ontstaat een regenboog?
    |Hoe strik ik een das?|Wat voor weer wordt het morgen?|Wat is de zin van het leven?|Wanneer plant je tulpen?|Wat is het snelste landdier?
    |Wat is de hoofdstad van Mongolië?|Waarom dromen we?|Kunnen paarden staand slapen?|Hoe wordt kaas gemaakt?|Wat is het verschil tussen een kikker en een pad?
    |Waarom moet je huilen van uien?|Hoeveel tanden heeft een haai?|Hoe lang is een marathon?|Waar komt kaneel vandaan?|Is er leven op andere planeten?
    |Wat is buitenspel?|Kun je een goede detective aanraden?`,
  ru: `Почему кошки мурлычут?|Как вывести пятно от вина с ковра?|Какая гора самая высокая в Южной Америке?|Сколько минут варить яйцо?
    |Когда человек впервые ступил на луну?|Сколько струн у скрипки?|Что делают пчёлы зимой?|Кто выиграл вчера матч?|Что приготовить на ужин?
    |Как научить собаку сидеть?|Почему море солёное?|Куда улетают ласточки осенью?|Как сказать спасибо по-японски?|Помидор это фрукт или овощ?
    |Как появляется радуга?|Как завязать галстук?|Какая завтра будет погода?|В чём смысл жизни?|Когда сажать тюльпаны?|Какое животное самое быстрое?
    |Какая столица у Монголии?|Почему мы видим сны?|Где можно увидеть северное сияние?|Какие правила в шашках?|Могут ли лошади спать стоя?
    |Как делают сыр?|Чем лягушка отличается от жабы?|Почему от лука слезятся глаза?|Сколько зубов у акулы?|Как заклеить камеру велосипеда?
    |Кто был королём Франции во время революции?|Какова длина марафона?|Откуда привозят корицу?|Есть ли жизнь на других планетах?|Что такое офсайд?
    |Посоветуй хороший детектив?|Что едят совы?|Кто изобрёл печатный станок?|Сколько костей у взрослого человека?`,
  ar: `لماذا تخرخر القطط؟|كيف أزيل بقعة القهوة من السجادة؟|ما هو أعلى جبل في أمريكا الجنوبية؟|كم دقيقة يحتاج البيض حتى يسلق؟|متى وصل الإنسان إلى القمر؟
    |كم عدد أوتار الكمان؟|ماذا يفعل النحل في الشتاء؟|من فاز في مباراة أمس؟|ماذا أطبخ للعشاء اليوم؟|كيف أعلم كلبي الجلوس؟|لماذا ماء البحر مالح؟
    |أين تذهب طيور السنونو في الخريف؟|كيف أقول شكرا باليابانية؟|هل الطماطم فاكهة أم خضار؟|كيف يتكون قوس قزح؟|كيف أربط ربطة العنق؟|كيف سيكون الطقس غدا؟
    |ما معنى الحياة؟|متى تزرع أزهار التوليب؟|ما هو أسرع حيوان على اليابسة؟|ما هي عاصمة منغوليا؟|لماذا نحلم في الليل؟|هل تنام الخيول واقفة؟
    |كيف يصنع الجبن؟|ما الفرق بين الضفدع والعلجوم؟|لماذا يجعلنا البصل نبكي؟|كم سنا لدى سمكة القرش؟|كيف أصلح ثقب إطار الدراجة؟|كم طول سباق الماراثون؟
    |من أين تأتي القرفة؟|هل توجد حياة على كواكب أخرى؟|ما هو التسلل في كرة القدم؟|هل تنصحني برواية بوليسية جيدة؟|ماذا تأكل البومة؟|من اخترع المطبعة؟`,
  zh: `猫为什么会打呼噜?|地毯上的红酒渍怎么去掉?|南美洲最高的山是哪座?|煮一个鸡蛋要多久?|人类什么时候第一次登上月球?|小提琴有几根弦?|蜜蜂冬天做什么?
    |昨晚的足球赛谁赢了?|今天晚饭做什么好?|怎么教我的狗坐下?|海水为什么是咸的?|燕子秋天飞到哪里去?|日语的谢谢怎么说?|西红柿是水果还是蔬菜?
    |彩虹是怎么形成的?|领带怎么打?|明天天气怎么样?|人生的意义是什么?|什么时候种郁金香最好?|陆地上跑得最快的动物是什么?|蒙古的首都是哪里?
    |我们为什么会做梦?|哪里可以看到极光?|五子棋的规则是什么?|马能站着睡觉吗?|奶酪是怎么做的?|青蛙和蟾蜍有什么区别?|切洋葱为什么会流泪?
    |鲨鱼有多少颗牙齿?|自行车轮胎怎么补?|法国大革命时的国王是谁?|马拉松有多长?|肉桂产自哪里?|其他星球上有生命吗?|足球的越位是什么意思?
    |能推荐一本好看的侦探小说吗?|猫头鹰吃什么?|印刷机是谁发明的?|成年人有多少块骨头?`,
}
