"""What visitors do: every journey as data, and the faults of the shop that its test must notice."""

from typing import Literal, NamedTuple

Place = Literal["shop", "pages", "react", "vue", "svelte"]


class Do(NamedTuple):
    """One thing done to one element, named as Playwright's selectors do."""

    verb: str
    selector: str = ""
    value: str = ""


class Journey(NamedTuple):
    """A way through an application."""

    name: str
    place: Place
    start: str
    steps: tuple[Do, ...]
    # Faults that its test must fail of.
    faults: tuple[str, ...] = ()
    # Part of the usual run, not only of the long one.
    usual: bool = False


def click(selector: str) -> Do:
    return Do("click", selector)


def fill(selector: str, value: str) -> Do:
    return Do("fill", selector, value)


def type_in(selector: str, value: str) -> Do:
    return Do("type", selector, value)


def press(key: str, selector: str = "") -> Do:
    return Do("press", selector, key)


def choose(selector: str, value: str) -> Do:
    return Do("select", selector, value)


SIGN_IN = (
    fill("#email", "sam@harbourlane.example"),
    fill("#password", "lighthouse"),
    click("form#login button"),
)
ADD_MUG = (click("ul.cards a:has-text('Stoneware mug')"), click("[data-testid=add-to-cart]"))
TO_CHECKOUT = (*SIGN_IN, click("a.brand"), *ADD_MUG, click("[data-testid=cart-link]"), click("text=Go to checkout"))  # fmt: skip
ACCEPT = click("text=I accept the terms of sale")
PLACE = click("[data-testid=place-order]")

JOURNEYS = (
    # The shop
    Journey("look at the shop", "shop", "/", (click("[aria-label='Close announcement']"),), ("blocked-script", "missing-resource", "refused-websocket", "console-noise", "changed-type", "open-personal-data", "chatty-websocket"), usual=True),
    Journey("look at a product", "shop", "/products/101", (click("text=350 ml"),), ("null-field", "missing-field", "unhandled-rejection")),
    Journey("add to the cart", "shop", "/", ADD_MUG, ("dead-button",), usual=True),
    Journey("buy three", "shop", "/products/101", (choose("#quantity", "3"), click("[data-testid=add-to-cart]"), click("[data-testid=cart-link]")), ("wrong-total",), usual=True),
    Journey("a size and a quantity", "shop", "/products/110", (click("fieldset.sizes label >> nth=1"), choose("#quantity", "2"), click("[data-testid=add-to-cart]"))),
    Journey("search with the keyboard", "shop", "/", (type_in("#search", "mug"), press("Enter", "#search"), click("ul.cards a")), ("slow-call", "slow-page", "long-task")),
    Journey("choose a category and go back", "shop", "/", (click("button.chip:has-text('Outdoor')"), click("ul.cards a:has-text('Camp lantern')"), Do("back"))),
    Journey("sign in", "shop", "/login", SIGN_IN, ("login-broken", "secret-in-url"), usual=True),
    Journey("a wrong e-mail", "shop", "/login", (fill("#email", "nobody@harbourlane.example"), fill("#password", "wrong"), press("Enter", "#password"))),
    Journey("sign out", "shop", "/login", (*SIGN_IN, click("#sign-out"))),
    Journey("place an order", "shop", "/login", (*TO_CHECKOUT, choose("#shipping", "express"), fill("#delivery-date", "2026-04-01"), fill("#note", "Ring twice"), Do("upload", "#attachment", "card.txt"), click("text=Wrap it as a gift"), ACCEPT, PLACE), ("server-error",), usual=True),
    Journey("pay by card in a frame", "shop", "/login", (*TO_CHECKOUT, click("label.choice >> text=Card"), fill("#payment-frame >> internal:control=enter-frame >> #card-number", "4242 4242 4242 4242"), fill("#payment-frame >> internal:control=enter-frame >> #card-expiry", "12/29"), fill("#payment-frame >> internal:control=enter-frame >> #card-code", "123"), click("#payment-frame >> internal:control=enter-frame >> button"), ACCEPT, PLACE)),
    Journey("two orders", "shop", "/login", (*TO_CHECKOUT, ACCEPT, PLACE, click("a.brand"), *ADD_MUG, click("[data-testid=cart-link]"), click("text=Go to checkout"), ACCEPT, PLACE), ("flaky",)),
    Journey("change a quantity", "shop", "/products/101", (click("[data-testid=add-to-cart]"), click("[data-testid=cart-link]"), fill("[aria-label='Quantity of Stoneware mug']", "4"), click("h1"))),
    Journey("remove from the cart", "shop", "/products/101", (click("[data-testid=add-to-cart]"), click("[data-testid=cart-link]"), click("li.line button"), click("[data-testid=confirm-remove]"))),
    Journey("keep it after all", "shop", "/products/101", (click("[data-testid=add-to-cart]"), click("[data-testid=cart-link]"), click("li.line button"), click("text=Keep it"))),
    Journey("drag a wish", "shop", "/wishlist", (Do("drag", "ol.wishes li >> nth=2", "ol.wishes li >> nth=0"),), usual=True),
    Journey("move a wish up", "shop", "/wishlist", (click("ol.wishes li >> nth=1 >> button >> nth=0"),)),
    Journey("remove a wish", "shop", "/wishlist", (click("ol.wishes li >> nth=1 >> button >> nth=1"),)),
    Journey("wish for something", "shop", "/products/104", (click("text=Add to wish list"),)),
    Journey("order again", "shop", "/login", (*SIGN_IN, click("#orders tr >> nth=1 >> button")), usual=True),
    Journey("change the profile", "shop", "/login", (*SIGN_IN, fill("#profile-name", "Sam Harbour"), click("text=Send me the newsletter"), click("text=Save changes"))),
    Journey("write a review", "shop", "/products/101", (choose("#review-stars", "4"), fill("#review-text", "Holds tea."), click("text=Send review")), usual=True),
    Journey("look at the size guide", "shop", "/products/110", (Do("popup", "text=Size guide"), Do("click in popup", "text=Choose M"))),
    Journey("follow a recommendation", "shop", "/products/101", (click(".recommendations a >> nth=0"),)),
    # Small pages
    Journey("native dialogs", "pages", "/dialogs.html", (Do("accept"), click("#alert"), Do("accept"), click("#keep"), Do("dismiss"), click("#drop"), Do("accept"), click("#name")), usual=True),
    Journey("a list of the same buttons", "pages", "/todo.html", (click("li >> nth=1 >> button"), fill("input", "Sleep"), click("text=Add"), click("li >> nth=2 >> button")), usual=True),
    Journey("routes in the fragment", "pages", "/hash.html", (click("text=Inbox"), click("text=Sent"))),
    Journey("every kind of field", "pages", "/fields.html", (fill("[name=name]", "Ada"), fill("[type=range]", "8"), fill("#colour", "#00ff00"), fill("[type=date]", "2026-05-06"), fill("[type=number]", "12"), fill("#note", "Hello"), click("text=Remember me"), click("text=Large"), choose("[name=country]", "de"), choose("[name=city]", "Kiel"), Do("upload", "#photo", "me.png"), fill("textarea", "No\nthanks"), click("text=Save")), usual=True),
    Journey("content that comes late", "pages", "/late.html", (click("#start"), click("text=Continue"))),
    Journey("names made by machines", "pages", "/machine.html", (fill("input", "Ace"), click("text=Notifications"), click("text=Go"), click("text=Within")), usual=True),
    Journey("from page to page", "pages", "/first.html", (click("text=Go on"), click("text=More"), click("text=To the end"))),
    Journey("only the keyboard", "pages", "/keyboard.html", (fill("[name=user]", "ada"), press("Tab", "[name=user]"), type_in("[name=phrase]", "open"), press("Enter", "[name=phrase]"))),
    Journey("escape", "pages", "/keyboard.html", (click("#open"), fill("[aria-label=Inside]", "x"), press("Escape", "[aria-label=Inside]"))),
    Journey("two frames", "pages", "/frames.html", (fill("iframe[title=Left] >> internal:control=enter-frame >> #code", "1"), click("iframe[title=Left] >> internal:control=enter-frame >> button"), click("iframe[name=right] >> internal:control=enter-frame >> button"))),
    Journey("frames in frames", "pages", "/deep.html", (fill("#outer >> internal:control=enter-frame >> iframe[title=Left] >> internal:control=enter-frame >> #code", "1"), click("#outer >> internal:control=enter-frame >> iframe[name=right] >> internal:control=enter-frame >> button"), click("iframe >> nth=1 >> internal:control=enter-frame >> button"))),
    Journey("shadow roots", "pages", "/shadow.html", (click("to-do >> nth=1 >> button"), fill("to-do >> nth=2 >> input", "now"), click("body > button")), usual=True),
    Journey("rows that only a number tells apart", "pages", "/table.html", (click("tr >> nth=1 >> button"), click("option >> nth=2"), Do("double-click", "span"), click("b"), click("text=help"))),
    Journey("what says the same", "pages", "/alike.html", (click("div >> text=Pay"), click("summary"), click("text=Skip"), click("a >> nth=1"), click("li >> nth=7 >> button"), Do("select several", "[aria-label=Tags]", "late paid"), choose("[aria-label=Plan]", "Large"), Do("select place", "[aria-label=Seat]", "1")), usual=True),
    Journey("more on scrolling", "pages", "/feed.html", (fill("[contenteditable]", "Hello"), click("fieldset >> nth=1 >> text=Yes"), Do("rapid clicks", "text=Like", "3"), Do("scroll"), click("article >> nth=11 >> button"))),
    Journey("search as you type", "pages", "/search.html", (type_in("input", "mu"), click("text=Muffin"))),
    Journey("quotes of every kind", "pages", "/quotes.html", (fill("input", "It's \"${x}\" `y` \\ שלום 🎉"), click("button")), usual=True),
    # Frameworks
    *(
        Journey(f"an order in {place}", place, "/", (fill("[data-testid=search]", "lamp"), choose("select", "paid"), click("text=Load order"), click("li >> nth=0 >> button"), click("text=Show total")), usual=place == "react")
        for place in ("react", "vue", "svelte")
    ),
)  # fmt: skip
