"""Right and wrong sentences of our own for every type of style error."""

WRONG = [
    (
        "repetition",
        (
            "The garden was large. Every morning my grandmother walked through the "
            "garden and talked about the garden. She loved the garden more than the"
            " house."
        ),
        "garden",
    ),
    (
        "repetition",
        (
            "Dogs are loyal. People love dogs because dogs protect the house, and "
            "dogs play with children. In winter dogs keep us warm at night."
        ),
        "dogs",
    ),
    (
        "repetition",
        (
            "Phones help us learn. With phones we read the news, and phones let us "
            "call our parents when the school day ends early."
        ),
        "phones",
    ),
    ("informal", "The kids were tired after the long walk.", "kids"),
    ("informal", "They brought a lot of stuff to the meeting.", "stuff"),
    ("informal", "It was an awesome idea to build a bridge.", "awesome"),
    ("conjunction_start", "And then we left. But nobody saw us. So we ran.", "And"),
    ("conjunction_start", "So we waited. And nobody came. But it rained.", "So"),
    ("conjunction_start", "But it rained. Or rather, it snowed. So we stayed.", "But"),
    ("short_sentences", ("I got up. I ate bread. I drank milk. I went out. It was cold. I ran home."), "It was cold."),
    ("short_sentences", "We sang. We danced. We ate. We laughed. We slept.", "We slept."),
    ("short_sentences", "He came in. He sat down. She smiled. They talked. It rained. He left.", "He left."),
    (
        "passive",
        ("The house was built in May. The roof was painted by my uncle. The walls were washed by us."),
        "was built",
    ),
    ("passive", ("The cake was eaten. The windows were broken. The door was closed by the wind."), "were broken"),
    ("passive", "The law was passed. The money was spent. The town was forgotten.", "was spent"),
    (
        "long_sentences",
        (
            "When the sun rose over the hills and the birds began to sing in the "
            "tall trees behind the old stone house where my grandparents lived for "
            "almost fifty years we packed our bags and carried them to the car that"
            " was waiting at the gate with its engine running quietly."
        ),
        (
            "When the sun rose over the hills and the birds began to sing in the "
            "tall trees behind the old stone house where my grandparents lived for "
            "almost fifty years we packed our bags and carried them to the car that"
            " was waiting at the gate with its engine running quietly."
        ),
    ),
    (
        "long_sentences",
        (
            "My uncle told us a story about a fisherman who found a bottle in the "
            "sea and opened it on the beach in front of his friends who laughed at "
            "him because they thought that there was nothing inside the bottle but "
            "sand and water and a few small shells."
        ),
        (
            "My uncle told us a story about a fisherman who found a bottle in the "
            "sea and opened it on the beach in front of his friends who laughed at "
            "him because they thought that there was nothing inside the bottle but "
            "sand and water and a few small shells."
        ),
    ),
    (
        "long_sentences",
        (
            "I believe that every school in the country should have a garden in "
            "which the students can grow vegetables and flowers and learn how "
            "plants live and what they need and why it is important to take care of"
            " the soil and the water and the air around us."
        ),
        (
            "I believe that every school in the country should have a garden in "
            "which the students can grow vegetables and flowers and learn how "
            "plants live and what they need and why it is important to take care of"
            " the soil and the water and the air around us."
        ),
    ),
]
"""Type, a text that has the error, and the words found."""

RIGHT = [
    (
        "repetition",
        (
            "The garden was large. Every morning my grandmother walked among the "
            "roses and spoke about the weather. She loved flowers."
        ),
    ),
    ("repetition", "It was the end of the day, and the sun was low."),
    ("repetition", ("My dog is old, but he runs like a puppy when he sees the lake near our house.")),
    ("informal", "The children were tired after the long walk."),
    ("informal", "They brought many tools to the meeting."),
    ("informal", "It was an excellent idea."),
    ("conjunction_start", "Then we left, but nobody saw us."),
    ("conjunction_start", "And then we left. But nobody saw us."),
    ("conjunction_start", "Soon it rained, and we waited."),
    ("short_sentences", "I got up. I ate bread. I drank milk."),
    ("short_sentences", "When I got up, I ate bread and drank some milk."),
    ("short_sentences", "It was cold outside, so I put on my coat and walked home."),
    ("long_sentences", "We packed our bags and left."),
    ("long_sentences", ("When the sun rose over the hills, we packed our bags and carried them to the car.")),
    ("long_sentences", "I believe that every school should have a garden."),
    ("passive", "My uncle painted the roof in May."),
    ("passive", "The house was built in May, and we love it."),
    ("passive", "She is tired, and they were happy."),
]
"""Type, and a text that has not the error."""
